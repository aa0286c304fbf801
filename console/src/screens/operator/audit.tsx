import { Anchor, Code, Select, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { AuditEntry } from '../../api/rows.ts'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Card } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'

/** Every change made through the management API, of all shops, the newest first. */
export function Audit() {
  const { audit: texts } = useTexts(operatorTexts)
  const [list, setList] = useListState({ page: 1, size: 50, action: '' })
  const columns = useColumns()
  type Action = keyof typeof texts.actions
  const isAction = (text: string): text is Action => text in texts.actions
  const action = isAction(list.action) ? list.action : undefined
  const entries = useQuery({
    queryKey: ['operator', 'audit', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/manage/v1/audit', {
          params: { query: { page: list.page, limit: list.size, action } },
        }),
      ),
  })
  return (
    <Card>
      <Select
        aria-label={texts.action}
        value={list.action}
        allowDeselect={false}
        searchable
        onChange={(next) => setList({ action: next ?? '' })}
        data={[
          { value: '', label: texts.allActions },
          ...Object.entries(texts.actions).map(([value, label]) => ({ value, label })),
        ]}
        maw={300}
        mb="sm"
      />
      <List
        query={entries}
        rowsOf={({ data }) => data}
        lengthOf={({ meta }) => meta}
        columns={columns}
        state={list}
        setState={setList}
        isFiltered={list.action !== ''}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
      />
    </Card>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const { audit: texts } = useTexts(operatorTexts)
  const actions: Record<string, string> = texts.actions
  return [
    { title: texts.when, cell: ({ createdAt }) => <When at={createdAt} /> },
    { title: texts.action, cell: ({ action }) => actions[action] ?? action },
    { title: texts.who, cell: ({ actor }) => texts.actors[actor] },
    {
      title: texts.shop,
      cell: ({ shopId }) =>
        shopId !== null && (
          <Anchor component={Link} to={`/operator/shops/${shopId}`} size="sm">
            <Code>{shopId.slice(-6)}</Code>
          </Anchor>
        ),
    },
    {
      title: texts.detail,
      maxWidth: 360,
      cell: ({ detail }) => (
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {detailOf(detail)}
        </Text>
      ),
    },
  ]
}

/** `name: Cũ → Mới, oversell: allow → deny`; a change is `[before, after]`. */
function detailOf(detail: Record<string, unknown>): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.entries(detail)
    .map(([name, value]) =>
      Array.isArray(value) && value.length === 2
        ? `${name}: ${text(value[0])} → ${text(value[1])}`
        : `${name}: ${text(value)}`,
    )
    .join(', ')
}
