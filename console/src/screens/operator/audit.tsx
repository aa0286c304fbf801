import { Anchor, Code, Select, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useListState } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'
import { Turn } from './turn.tsx'

const PAGE_SIZE = 50

type Entry = {
  _id: string
  shopId: string | null
  actor: 'operator' | 'key' | 'member' | 'service'
  action: string
  detail: Record<string, unknown>
  createdAt: string
}

/** Every change made through the management API, of all shops, the newest first. */
export function Audit() {
  const { audit: texts } = useTexts(operatorTexts)
  const [list, setList] = useListState({ tab: '', page: 1, action: '' })
  type Action = keyof typeof texts.actions
  const isAction = (text: string): text is Action => text in texts.actions
  const action = isAction(list.action) ? list.action : undefined
  const entries = useQuery({
    queryKey: ['operator', 'audit', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/manage/v1/audit', {
          params: { query: { page: list.page, limit: PAGE_SIZE, action } },
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
      <Loaded query={entries}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
          ) : (
            <>
              <AuditTable entries={data} />
              <Turn page={meta.page} hasMore={meta.hasMore} onPage={(page) => setList({ page })} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function AuditTable({ entries }: { entries: Entry[] }) {
  const { audit: texts } = useTexts(operatorTexts)
  const actions: Record<string, string> = texts.actions
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.when}</Table.Th>
            <Table.Th>{texts.action}</Table.Th>
            <Table.Th>{texts.who}</Table.Th>
            <Table.Th>{texts.shop}</Table.Th>
            <Table.Th>{texts.detail}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry._id}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <When at={entry.createdAt} />
              </Table.Td>
              <Table.Td>{actions[entry.action] ?? entry.action}</Table.Td>
              <Table.Td>{texts.actors[entry.actor]}</Table.Td>
              <Table.Td>
                {entry.shopId !== null && (
                  <Anchor component={Link} to={`/operator/shops/${entry.shopId}`} size="sm">
                    <Code>{entry.shopId.slice(-6)}</Code>
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td maw={360}>
                <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
                  {detailOf(entry.detail)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
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
