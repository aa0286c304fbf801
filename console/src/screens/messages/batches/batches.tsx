import { Anchor } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Column } from '../../../components/lists/data-table.tsx'
import { List } from '../../../components/lists/list.tsx'
import { useListState } from '../../../components/lists/list-state.ts'
import { Card } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { formatNumber } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { MessagesFrame } from '../frame.tsx'
import { BatchBadge, BatchProgress, refreshOf } from './batch-progress.tsx'
import { batchTexts } from './batch-texts.ts'
import type { Batch } from './plan-batch.ts'
import { useBatchName } from './use-batch-name.ts'

export function Batches() {
  const texts = useTexts(batchTexts)
  const [list, setList] = useListState({ page: 1, size: 20 })
  const columns = useColumns()
  const batches = useQuery({
    queryKey: ['batches', 'list', list],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshOf(state.data?.data.find((batch) => refreshOf(batch) !== false)),
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-message/batches', {
          params: { query: { page: list.page, limit: list.size } },
        }),
      ),
  })
  return (
    <MessagesFrame>
      <Card>
        <List
          name="batches"
          query={batches}
          rowsOf={({ data }) => data}
          lengthOf={({ meta }) => meta}
          columns={columns}
          state={list}
          setState={setList}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        />
      </Card>
    </MessagesFrame>
  )
}

function useColumns(): Column<Batch>[] {
  const texts = useTexts(batchTexts)
  const words = useTexts(common)
  const nameOf = useBatchName()
  const { language } = useLanguage()
  return [
    {
      title: words.name,
      cell: (batch) => (
        <Anchor component={Link} to={`/messages/batches/${batch._id}`} size="sm">
          {nameOf(batch)}
        </Anchor>
      ),
    },
    { id: 'status', title: words.status, cell: (batch) => <BatchBadge batch={batch} /> },
    { id: 'progress', title: texts.progress, width: 320, cell: (batch) => <BatchProgress batch={batch} /> },
    {
      id: 'refusedRows',
      title: texts.refusedRows,
      isNumber: true,
      cell: ({ refusedCount }) => formatNumber(refusedCount, language),
    },
    { id: 'createdAt', title: words.createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  ]
}
