import { Anchor, Button, Group, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useListState } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { BatchBadge, BatchProgress, refreshOf } from './batch-progress.tsx'
import { batchTexts } from './batch-texts.ts'
import { MessagesFrame } from './frame.tsx'
import type { Batch } from './plan-batch.ts'

const PAGE_SIZE = 20

export function Batches() {
  const texts = useTexts(batchTexts)
  const words = useTexts(common)
  const [list, setList] = useListState({ page: 1 })
  const batches = useQuery({
    queryKey: ['batches', 'list', list],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshOf(state.data?.data.find((batch) => refreshOf(batch) !== false)),
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-message/batches', {
          params: { query: { page: list.page, limit: PAGE_SIZE } },
        }),
      ),
  })
  return (
    <MessagesFrame>
      <Card>
        <Loaded query={batches}>
          {({ data, meta }) =>
            data.length === 0 && meta.page === 1 ? (
              <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
            ) : (
              <>
                <BatchTable batches={data} />
                <Group justify="flex-end" mt="sm">
                  <Button
                    variant="default"
                    disabled={meta.page === 1}
                    onClick={() => setList({ page: meta.page - 1 })}
                  >
                    {words.newer}
                  </Button>
                  <Button
                    variant="default"
                    disabled={!meta.hasMore}
                    onClick={() => setList({ page: meta.page + 1 })}
                  >
                    {words.older}
                  </Button>
                </Group>
              </>
            )
          }
        </Loaded>
      </Card>
    </MessagesFrame>
  )
}

function BatchTable({ batches }: { batches: Batch[] }) {
  const texts = useTexts(batchTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  return (
    <Table.ScrollContainer minWidth={820}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.status}</Table.Th>
            <Table.Th miw={280}>{texts.progress}</Table.Th>
            <Table.Th ta="right">{texts.refusedRows}</Table.Th>
            <Table.Th>{words.createdAt}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {batches.map((batch) => (
            <Table.Tr key={batch._id}>
              <Table.Td>
                <Anchor component={Link} to={`/messages/batches/${batch._id}`} size="sm">
                  {batch.name === '' ? batch._id : batch.name}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <BatchBadge batch={batch} />
              </Table.Td>
              <Table.Td>
                <BatchProgress batch={batch} />
              </Table.Td>
              <Table.Td ta="right">{formatNumber(batch.refusedCount, language)}</Table.Td>
              <Table.Td>
                <When at={batch.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
