import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { WebhookAttempt } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

const SHOWN = 20
const REFRESH_MS = 5_000
const DAY_MS = 86_400_000

/** The last deliveries to an endpoint, with its responses. */
export function Attempts({ webhookId }: { webhookId: string }) {
  const { webhooks: texts } = useTexts(settingsTexts)
  const { isOwner } = useSession()
  const path = { path: { id: webhookId } }
  const attempts = useQuery({
    queryKey: ['webhooks', webhookId, 'attempts'],
    refetchInterval: REFRESH_MS,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/webhooks/{id}/attempts', {
          params: { ...path, query: { page: 1, limit: SHOWN } },
        }),
      ),
  })
  const resending = useAction({
    run: (eventId: string) =>
      dataOf(api.POST('/api/external/webhooks/{id}/resend', { params: path, body: { eventId } })),
    stale: [['webhooks', webhookId]],
    done: texts.resent,
  })
  const recovering = useAction({
    run: () =>
      dataOf(
        api.POST('/api/external/webhooks/{id}/recover', {
          params: path,
          body: { since: new Date(Date.now() - DAY_MS).toISOString() },
        }),
      ),
    stale: [['webhooks', webhookId]],
    onDone: ({ data }) => {
      notifications.show({ message: texts.recovered(data.queued), color: 'teal' })
    },
  })
  const columns: Column<WebhookAttempt>[] = [
    {
      title: texts.event,
      cell: ({ type, createdAt, number }) => (
        <>
          <Text size="sm">{type}</Text>
          <Text size="xs" c="dimmed">
            <When at={createdAt} /> · {number}
          </Text>
        </>
      ),
    },
    {
      title: texts.result,
      cell: ({ status }) => <Badge tone={isSuccess(status) ? 'good' : 'bad'}>{status ?? '–'}</Badge>,
    },
    { title: texts.duration, cell: ({ durationMs }) => `${durationMs} ms` },
    {
      title: texts.answer,
      maxWidth: 320,
      cell: ({ error, answer }) => (
        <Text size="xs" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {error ?? answer}
        </Text>
      ),
    },
    {
      cell: ({ eventId }) =>
        isOwner && (
          <Button size="xs" variant="default" onClick={() => resending.mutate(eventId)}>
            {texts.resend}
          </Button>
        ),
    },
  ]
  return (
    <Loaded query={attempts}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.noAttempts}
          </Text>
        ) : (
          <>
            <DataTable
              columns={columns}
              rows={data}
              keyOf={({ eventId, number, createdAt }) => `${eventId}-${number}-${createdAt}`}
            />
            {isOwner && (
              <Group>
                <Button
                  size="xs"
                  variant="light"
                  loading={recovering.isPending}
                  onClick={() => recovering.mutate()}
                >
                  {texts.recover}
                </Button>
              </Group>
            )}
          </>
        )
      }
    </Loaded>
  )
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
