import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

const REFRESH_MS = 15_000

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
      <Text c="dimmed">{texts.hint}</Text>
      <Loaded query={accounts}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
          ) : (
            data.map(({ _id, oaId, name, status, tokenRefreshedAt, breaker }) => {
              const failing = breaker.filter(({ state }) => state !== 'closed')
              return (
                <Card key={_id} title={name}>
                  <Stack gap="xs">
                    <Group gap="xs">
                      <Badge variant="light" color={status === 'CONNECTED' ? 'teal' : 'gray'}>
                        {status === 'CONNECTED' ? texts.connected : texts.notConnected}
                      </Badge>
                      <Badge variant="light" color={failing.length === 0 ? 'teal' : 'red'}>
                        {failing.length === 0 ? texts.healthy : texts.failing}
                      </Badge>
                      <Text size="sm">OA {oaId}</Text>
                    </Group>
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
