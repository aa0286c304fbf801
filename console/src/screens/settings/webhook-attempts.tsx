import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

const SHOWN = 20
const REFRESH_MS = 5_000
const DAY_MS = 86_400_000

/** The last deliveries of an endpoint, with what it answered. */
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
  return (
    <Loaded query={attempts}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.noAttempts}
          </Text>
        ) : (
          <>
            <Table.ScrollContainer minWidth={760}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{texts.event}</Table.Th>
                    <Table.Th>{texts.result}</Table.Th>
                    <Table.Th>{texts.duration}</Table.Th>
                    <Table.Th>{texts.answer}</Table.Th>
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.map((attempt) => {
                    const isGood = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
                    return (
                      <Table.Tr key={`${attempt.eventId}-${attempt.number}-${attempt.createdAt}`}>
                        <Table.Td>
                          <Text size="sm">{attempt.type}</Text>
                          <Text size="xs" c="dimmed">
                            <When at={attempt.createdAt} /> · {attempt.number}
                          </Text>
                        </Table.Td>
                        <Table.Td>
                          <Badge variant="light" color={isGood ? 'teal' : 'red'}>
                            {attempt.status ?? '–'}
                          </Badge>
                        </Table.Td>
                        <Table.Td>{attempt.durationMs} ms</Table.Td>
                        <Table.Td maw={320}>
                          <Text size="xs" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                            {attempt.error ?? attempt.answer}
                          </Text>
                        </Table.Td>
                        <Table.Td>
                          {isOwner && (
                            <Button
                              size="xs"
                              variant="default"
                              onClick={() => resending.mutate(attempt.eventId)}
                            >
                              {texts.resend}
                            </Button>
                          )}
                        </Table.Td>
                      </Table.Tr>
                    )
                  })}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
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
