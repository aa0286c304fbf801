import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { Badge } from '../../components/badge.tsx'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import { ConnectButton } from '../connect/connect-button.tsx'
import { TabHint } from './tab-hint.tsx'
import { settingsTexts } from './texts.ts'

const REFRESH_MS = 15_000
const TONES = { CONNECTED: 'good', NOT_CONNECTED: 'quiet', DISCONNECTED: 'bad' } as const

/** The shop's official accounts, and whether the platform answers for them. */
export function Accounts() {
  const { accounts: texts } = useTexts(settingsTexts)
  const accounts = useQuery({
    queryKey: ['official-accounts'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/external/official-accounts')),
  })
  return (
    <Stack>
      <Group justify="space-between">
        <TabHint tab="accounts" term="officialAccount" text={texts.hint} />
        <ConnectButton />
      </Group>
      <Loaded query={accounts}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
          ) : (
            data.map(({ _id, oaId, name, status, stopsAt, tokenRefreshedAt, breaker }) => {
              const failing = breaker.filter(({ state }) => state !== 'closed')
              return (
                <Card
                  key={_id}
                  title={name}
                  actions={status === 'CONNECTED' ? undefined : <ConnectButton isAgain />}
                >
                  <Stack gap="xs">
                    <Group gap="xs">
                      <Badge tone={TONES[status]}>{texts.states[status]}</Badge>
                      <Badge tone={failing.length === 0 ? 'good' : 'bad'}>
                        {failing.length === 0 ? texts.healthy : texts.failing}
                      </Badge>
                      <Text size="sm">OA {oaId}</Text>
                    </Group>
                    {status === 'DISCONNECTED' && (
                      <Text size="sm" role="alert">
                        {texts.disconnectedHint} {stopsAt !== undefined && texts.stops}{' '}
                        {stopsAt !== undefined && <When at={stopsAt} />}
                      </Text>
                    )}
                    {tokenRefreshedAt !== undefined && (
                      <Text size="sm" c="dimmed">
                        {texts.refreshed} <When at={tokenRefreshedAt} />
                      </Text>
                    )}
                    {failing.map(({ endpoint, retryAt }) => (
                      <Text size="sm" key={endpoint}>
                        {endpoint}: {texts.retryAt} <When at={retryAt} />
                      </Text>
                    ))}
                  </Stack>
                </Card>
              )
            })
          )
        }
      </Loaded>
    </Stack>
  )
}
