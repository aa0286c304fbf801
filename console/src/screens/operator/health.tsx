import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { DataTable } from '../../components/lists/data-table.tsx'
import { Card, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { auditLogTexts } from '../audit/audit-log-texts.ts'
import { FailedJobs, isJobQueue } from './failed-jobs.tsx'
import { operatorTexts } from './texts.ts'

const REFRESH_MS = 15_000
const TONES = { closed: 'warn', open: 'bad', 'half-open': 'warn' } as const

export function Health() {
  return (
    <Stack>
      <Circuits />
      <Queues />
    </Stack>
  )
}

/** The official accounts of all shops whose calls to the platform failed recently. */
function Circuits() {
  const { health: texts, accounts } = useTexts(operatorTexts)
  const { shop } = useTexts(auditLogTexts)
  const circuits = useQuery({
    queryKey: ['operator', 'circuits'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/manage/v1/circuits')),
  })
  return (
    <Card title={texts.platform} term="circuit">
      <Loaded query={circuits}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>{texts.healthy}</Text>
          ) : (
            <DataTable
              columns={[
                {
                  title: shop,
                  cell: ({ shopId, shopName }) => (
                    <Anchor component={Link} to={`/operator/shops/${shopId}`} size="sm">
                      {shopName}
                    </Anchor>
                  ),
                },
                { title: accounts.name, cell: ({ accountName }) => accountName },
                { title: texts.endpoint, cell: ({ endpoint }) => endpoint },
                {
                  title: texts.state,
                  cell: ({ state }) => <Badge tone={TONES[state]}>{texts.states[state]}</Badge>,
                },
                { title: texts.retryAt, cell: ({ retryAt }) => <When at={retryAt} /> },
                {
                  cell: (circuit) => circuit.state === 'open' && <RetryButton {...circuit} />,
                },
              ]}
              rows={data}
              keyOf={({ accountId, endpoint }) => `${accountId} ${endpoint}`}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function RetryButton(account: { shopId: string; accountId: string; accountName: string }) {
  const { health: texts } = useTexts(operatorTexts)
  const { shopId: id, accountId } = account
  const retrying = useAction({
    run: () =>
      dataOf(
        api.POST('/api/manage/v1/shops/{id}/circuits/{accountId}/retry', {
          params: { path: { id, accountId } },
        }),
      ),
    stale: [['operator', 'circuits']],
    done: texts.tried,
  })
  return (
    <ConfirmButton
      size="xs"
      color="cyan"
      question={texts.tryQuestion(account.accountName)}
      confirm={texts.tryAgain}
      loading={retrying.isPending}
      onConfirm={() => retrying.mutate(undefined)}
    >
      {texts.tryAgain}
    </ConfirmButton>
  )
}

/** The background queues, and below them the failed jobs of queues that have some. */
function Queues() {
  const { health: texts } = useTexts(operatorTexts)
  const { language } = useLanguage()
  const queues = useQuery({
    queryKey: ['operator', 'queues'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/manage/v1/queues')),
  })
  const names: Record<string, string> = texts.names
  const failing = (queues.data?.data ?? []).filter(({ name, failed }) => failed > 0 && isJobQueue(name))
  return (
    <>
      <Card title={texts.queues} term="queue">
        <Loaded query={queues}>
          {({ data }) => (
            <DataTable
              columns={[
                { title: texts.queue, cell: ({ name }) => names[name] ?? name },
                {
                  title: texts.waiting,
                  isNumber: true,
                  cell: ({ waiting }) => formatNumber(waiting, language),
                },
                { title: texts.active, isNumber: true, cell: ({ active }) => formatNumber(active, language) },
                {
                  title: texts.failed,
                  isNumber: true,
                  cell: ({ failed }) => (
                    <Text span inherit c={failed > 0 ? 'red' : undefined}>
                      {formatNumber(failed, language)}
                    </Text>
                  ),
                },
                { title: texts.countedAt, cell: ({ countedAt }) => <When at={countedAt} /> },
              ]}
              rows={data}
              keyOf={({ name }) => name}
            />
          )}
        </Loaded>
      </Card>
      {failing.map(({ name }, at) => (
        <FailedJobs key={name} queue={name} name={names[name] ?? name} isExplained={at === 0} />
      ))}
    </>
  )
}
