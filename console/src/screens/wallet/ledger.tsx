import { Anchor, Badge, Button, Group, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useListState } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Statement } from './statement.tsx'
import { walletTexts } from './texts.ts'

const PAGE_SIZE = 50
const COLOURS = {
  top_up: 'teal',
  correction: 'grape',
  hold: 'yellow',
  capture: 'cyan',
  release: 'gray',
  late_capture: 'orange',
} as const

/** Every change of the balance and of what is held, the newest first. */
export function Ledger() {
  const texts = useTexts(walletTexts)
  const [list, setList] = useListState({ page: 1 })
  const entries = useQuery({
    queryKey: ['wallet', 'entries', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/wallet/entries', {
          params: { query: { page: list.page, limit: PAGE_SIZE } },
        }),
      ),
  })
  return (
    <Card title={texts.ledger} actions={<Statement />}>
      <Loaded query={entries}>
        {({ entries: rows, meta }) =>
          rows.length === 0 && meta.page === 1 ? (
            <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
          ) : (
            <>
              <Table.ScrollContainer minWidth={820}>
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{texts.when}</Table.Th>
                      <Table.Th>{texts.type}</Table.Th>
                      <Table.Th ta="right">{texts.amount}</Table.Th>
                      <Table.Th ta="right">{texts.heldChange}</Table.Th>
                      <Table.Th ta="right">{texts.balanceAfter}</Table.Th>
                      <Table.Th>{texts.note}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((entry) => (
                      <Table.Tr key={entry._id}>
                        <Table.Td>
                          <When at={entry.createdAt} />
                        </Table.Td>
                        <Table.Td>
                          <Badge variant="light" color={COLOURS[entry.type]} autoContrast>
                            {texts.types[entry.type]}
                          </Badge>
                        </Table.Td>
                        <Table.Td ta="right">
                          <Money vnd={entry.amount} />
                        </Table.Td>
                        <Table.Td ta="right">
                          <Money vnd={entry.heldChange} />
                        </Table.Td>
                        <Table.Td ta="right">
                          <Money vnd={entry.balanceAfter} />
                        </Table.Td>
                        <Table.Td>
                          {entry.messageId === null ? (
                            entry.note
                          ) : (
                            <Anchor component={Link} to={`/messages/${entry.messageId}`} size="sm">
                              {texts.message}
                            </Anchor>
                          )}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <Group justify="flex-end" mt="sm">
                <Button
                  variant="default"
                  disabled={meta.page === 1}
                  onClick={() => setList({ page: meta.page - 1 })}
                >
                  {texts.newer}
                </Button>
                <Button
                  variant="default"
                  disabled={!meta.hasMore}
                  onClick={() => setList({ page: meta.page + 1 })}
                >
                  {texts.older}
                </Button>
              </Group>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
