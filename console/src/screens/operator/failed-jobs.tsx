import { Anchor, Group, Text } from '@mantine/core'
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
import { operatorTexts } from './texts.ts'

const REFRESH_MS = 15_000

/** The queues whose jobs can be run again. Webhook deliveries are resent by the shop itself. */
const JOB_QUEUES = ['submit-template', 'import-products']
export const isJobQueue = (name: string) => JOB_QUEUES.includes(name)

/** The failed jobs of a queue. Each can be run again or, after confirmation, dropped (G-61). */
export function FailedJobs(props: { queue: string; name: string; isExplained: boolean }) {
  const { queue, name, isExplained } = props
  const { health: texts } = useTexts(operatorTexts)
  const { shop } = useTexts(auditLogTexts)
  const { language } = useLanguage()
  const jobs = useQuery({
    queryKey: ['operator', 'failed-jobs', queue],
    refetchInterval: REFRESH_MS,
    queryFn: () =>
      dataOf(api.GET('/api/manage/v1/queues/{queue}/failed-jobs', { params: { path: { queue } } })),
  })
  return (
    <Card title={texts.failedJobs(name)} {...(isExplained && { term: 'failedJob' as const })}>
      <Loaded query={jobs}>
        {({ data, meta }) => (
          <>
            {meta.total > data.length && (
              <Text size="sm">
                {texts.newestOf(formatNumber(data.length, language), formatNumber(meta.total, language))}
              </Text>
            )}
            <DataTable
              columns={[
                {
                  title: shop,
                  cell: ({ shopId, shopName }) =>
                    shopId === null ? (
                      texts.noShop
                    ) : (
                      <Anchor component={Link} to={`/operator/shops/${shopId}`} size="sm">
                        {shopName}
                      </Anchor>
                    ),
                },
                { title: texts.failedAt, cell: ({ failedAt }) => <When at={failedAt} /> },
                {
                  title: texts.attempts,
                  isNumber: true,
                  cell: ({ attempts }) => formatNumber(attempts, language),
                },
                {
                  title: texts.error,
                  maxWidth: 360,
                  cell: ({ error, isNeeded }) =>
                    isNeeded ? (error ?? texts.noError) : <Badge tone="quiet">{texts.notNeeded}</Badge>,
                },
                { cell: (job) => <JobActions {...job} /> },
              ]}
              rows={data}
              keyOf={({ id }) => id}
            />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function JobActions({ id, queue, isNeeded }: { id: string; queue: string; isNeeded: boolean }) {
  const { health: texts } = useTexts(operatorTexts)
  const params = { path: { queue, jobId: id } }
  const stale = [
    ['operator', 'failed-jobs', queue],
    ['operator', 'queues'],
  ]
  const retrying = useAction({
    run: () => dataOf(api.POST('/api/manage/v1/queues/{queue}/failed-jobs/{jobId}/retry', { params })),
    stale,
    done: texts.retried,
  })
  const dropping = useAction({
    run: () => dataOf(api.DELETE('/api/manage/v1/queues/{queue}/failed-jobs/{jobId}', { params })),
    stale,
    done: texts.dropped,
  })
  return (
    <Group gap="xs" wrap="nowrap">
      {isNeeded && (
        <ConfirmButton
          size="xs"
          color="cyan"
          question={texts.retryQuestion}
          confirm={texts.retry}
          loading={retrying.isPending}
          onConfirm={() => retrying.mutate(undefined)}
        >
          {texts.retry}
        </ConfirmButton>
      )}
      <ConfirmButton
        size="xs"
        question={isNeeded ? texts.dropQuestion : texts.dropNeedless}
        confirm={texts.drop}
        loading={dropping.isPending}
        onConfirm={() => dropping.mutate(undefined)}
      >
        {texts.drop}
      </ConfirmButton>
    </Group>
  )
}
