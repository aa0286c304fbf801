import { Alert, Group, Progress, Stack, Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { Badge } from '../../../components/badge.tsx'
import { When } from '../../../components/values.tsx'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { batchTexts } from './batch-texts.ts'
import type { Batch } from './plan-batch.ts'

const REFRESH_MS = 1_500
const TONES = { WAITING: 'warn', SENDING: 'busy', DONE: 'good', CANCELLED: 'quiet' } as const
const COLOURS = { received: 'teal', error: 'red', unknown: 'yellow', cancelled: 'gray', left: 'cyan' }

/** The refresh interval while the batch is not finished. */
export function refreshOf(batch: Batch | undefined): number | false {
  return batch !== undefined && (batch.status === 'WAITING' || batch.status === 'SENDING')
    ? REFRESH_MS
    : false
}

export function BatchBadge({ batch }: { batch: Batch }) {
  const texts = useTexts(batchTexts)
  return (
    <Group gap={6} wrap="nowrap">
      <Badge tone={TONES[batch.status]}>{texts.statuses[batch.status]}</Badge>
      {batch.isTest && <Badge tone="quiet">{texts.testMark}</Badge>}
    </Group>
  )
}

/** A batch's progress as a bar and in numbers, and why and until when it waits. */
export function BatchProgress({ batch }: { batch: Batch }) {
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const { queued, sending, ...ended } = batch.progress
  const counts = { ...ended, left: queued + sending }
  const kinds = Object.keys(COLOURS) as (keyof typeof COLOURS)[]
  const done = batch.accepted - counts.left
  return (
    <Stack gap="xs">
      <Progress.Root size="lg" role="group" aria-label={texts.progress}>
        {kinds
          .filter((kind) => kind !== 'left' && counts[kind] > 0)
          .map((kind) => (
            <Progress.Section
              key={kind}
              value={(counts[kind] / batch.accepted) * 100}
              color={COLOURS[kind]}
              aria-label={texts.counts[kind]}
            />
          ))}
      </Progress.Root>
      <Group gap="md">
        <Text size="sm" fw={600} role="status">
          {formatNumber(done, language)} / {formatNumber(batch.accepted, language)}
        </Text>
        {kinds
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <Text size="sm" key={kind}>
              {texts.counts[kind]}: {formatNumber(counts[kind], language)}
            </Text>
          ))}
      </Group>
      {batch.otpExpired > 0 && (
        <Text size="sm">{texts.otpExpired(formatNumber(batch.otpExpired, language))}</Text>
      )}
      {batch.waiting !== null && (
        <Alert color="yellow" variant="light" p="xs">
          {texts.waiting[batch.waiting.reason]}, {texts.resumes} <When at={batch.waiting.resumesAt} />
        </Alert>
      )}
    </Stack>
  )
}

/** Cancels the unsent messages. Shown while there are some. */
export function CancelBatch({ batch }: { batch: Batch }) {
  const texts = useTexts(batchTexts)
  const { canWrite } = useSession()
  const cancelling = useAction({
    run: () =>
      dataOf(
        api.POST('/api/external/notify-message/batches/{id}/cancel', { params: { path: { id: batch._id } } }),
      ),
    stale: [['batches'], ['wallet']],
    done: texts.cancelled,
  })
  if (!canWrite || batch.progress.queued === 0) return null
  return (
    <ConfirmButton
      question={texts.cancelQuestion}
      confirm={texts.cancel}
      loading={cancelling.isPending}
      onConfirm={() => cancelling.mutate(undefined)}
    >
      {texts.cancel}
    </ConfirmButton>
  )
}
