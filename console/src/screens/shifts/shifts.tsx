import { Anchor, Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Shift } from '../../api/rows.ts'
import { Badge } from '../../components/badge.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Card, Page } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Difference } from './difference.tsx'
import { totalTaken } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

/** The shop's shifts, newest first: the cashier, the payments, and whether the drawer's count was right. */
export function Shifts() {
  const texts = useTexts(shiftTexts)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, size: 20 })
  const columns = useColumns()
  const shifts = useQuery({
    queryKey: ['shifts', 'list', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/shifts', { params: { query: { page: list.page, limit: list.size } } }),
      ),
  })
  return (
    <Page
      title={texts.title}
      actions={
        canWrite && (
          <Button component={Link} to="/pos">
            {texts.toCounter}
          </Button>
        )
      }
    >
      <Card>
        <List
          name="shifts"
          query={shifts}
          rowsOf={({ data }) => data}
          lengthOf={({ meta }) => meta}
          columns={columns}
          state={list}
          setState={setList}
          sizes={[20, 50, 100]}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        />
      </Card>
    </Page>
  )
}

export function ShiftState({ shift }: { shift: Pick<Shift, 'closedAt'> }) {
  const { states } = useTexts(shiftTexts)
  return shift.closedAt === null ? (
    <Badge tone="busy">{states.open}</Badge>
  ) : (
    <Badge tone="quiet">{states.closed}</Badge>
  )
}

function useColumns(): Column<Shift>[] {
  const texts = useTexts(shiftTexts)
  return [
    {
      title: texts.cashier,
      cell: ({ _id, openedBy }) => (
        <Anchor component={Link} to={`/shifts/${_id}`} fw={500} size="sm">
          {openedBy?.name ?? texts.nobody}
        </Anchor>
      ),
    },
    { id: 'state', title: texts.state, cell: (shift) => <ShiftState shift={shift} /> },
    { id: 'opened', title: texts.opened, cell: ({ openedAt }) => <When at={openedAt} /> },
    { id: 'closed', title: texts.closed, cell: ({ closedAt }) => <When at={closedAt} /> },
    {
      id: 'takings',
      title: texts.takings,
      isNumber: true,
      cell: (shift) => <Money vnd={totalTaken(shift)} />,
    },
    {
      id: 'expectedCash',
      title: texts.expectedCash,
      isNumber: true,
      cell: ({ expectedCash }) => <Money vnd={expectedCash} />,
    },
    {
      id: 'countedCash',
      title: texts.countedCash,
      isNumber: true,
      cell: ({ countedCash }) => <Money vnd={countedCash} />,
    },
    {
      id: 'difference',
      title: texts.difference,
      isNumber: true,
      cell: ({ difference }) => (difference === null ? '–' : <Difference vnd={difference} />),
    },
  ]
}
