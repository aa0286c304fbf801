import { Anchor, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { batchQuery } from '../queries.ts'
import { BatchProgress, CancelBatch, refreshOf } from './batch-progress.tsx'
import { useBatchName } from './use-batch-name.ts'

/** The progress of the batch that one call created. */
export function LiveBatch({ id }: { id: string }) {
  const nameOf = useBatchName()
  const batch = useQuery({
    ...batchQuery(id),
    refetchInterval: ({ state }) => refreshOf(state.data?.data),
  })
  if (batch.data === undefined) return null
  const { data } = batch.data
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Anchor component={Link} to={`/messages/batches/${id}`} size="sm" fw={600}>
          {nameOf(data)}
        </Anchor>
        <CancelBatch batch={data} />
      </Group>
      <BatchProgress batch={data} />
    </Stack>
  )
}
