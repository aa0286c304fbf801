import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { saveFile } from '../../../components/download.ts'
import { useLeaveQuestion } from '../../../components/forms/leave-question.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { formatNumber, formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { Template } from '../../templates/editor/draft.ts'
import { batchQuery } from '../queries.ts'
import { BatchProgress, CancelBatch, refreshOf } from './batch-progress.tsx'
import { batchTexts } from './batch-texts.ts'
import { type CsvRow, writeCsv } from './csv.ts'
import { type Mapping, planBatch, type RefusedRow } from './plan-batch.ts'
import { type HandedIn, useBatchSending } from './use-batch-sending.ts'

/** The price, the confirmation, and then the progress. */
export function BatchSending(props: {
  header: CsvRow
  rows: CsvRow[]
  template: Template
  mapping: Mapping
  name: string
  scheduledAt: string | undefined
  /** Called when sending starts or some messages are accepted: from then on the plan cannot change. */
  onBegun: (isBegun: boolean) => void
}) {
  const { header, rows, template, mapping, name, scheduledAt, onBegun } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const plan = useMemo(() => planBatch(header, rows, mapping, texts), [header, rows, mapping, texts])
  const order = { templateId: template._id, name, scheduledAt, rows: plan.planned }
  const { sending, handedIn } = useBatchSending(order)
  useLeaveQuestion(sending.isPending)
  const count = plan.planned.length
  const show = (value: number) => formatNumber(value, language)
  const isBegun = sending.isPending || handedIn.batchIds.length > 0
  useEffect(() => onBegun(isBegun), [isBegun, onBegun])

  return (
    <>
      <Card title={texts.price}>
        <Stack>
          <Price template={template} mapping={mapping} count={count} isBegun={isBegun} />
          {isBegun && (
            <Progress
              value={count === 0 ? 100 : (handedIn.rows / count) * 100}
              aria-label={texts.handedIn(show(handedIn.rows), show(count))}
            />
          )}
          {isBegun && <Text size="sm">{texts.handedIn(show(handedIn.rows), show(count))}</Text>}
          {sending.error !== null && <ProblemNote error={sending.error} />}
          {handedIn.rows < count && (
            <Group>
              <Button loading={sending.isPending} onClick={() => sending.mutate(undefined)}>
                {isBegun ? texts.goOn : texts.confirm(show(count))}
              </Button>
            </Group>
          )}
        </Stack>
      </Card>
      {(handedIn.batchIds.length > 0 || count === 0) && (
        <Result header={header} name={name} handedIn={handedIn} unreadable={plan.refused} />
      )}
    </>
  )
}

function Price(props: { template: Template; mapping: Mapping; count: number; isBegun: boolean }) {
  const { template, mapping, count, isBegun } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const wallet = useQuery({ queryKey: ['wallet'], queryFn: () => dataOf(api.GET('/api/external/wallet')) })
  const fee = mapping.channel === 'phone' ? template.price : template.priceUID
  if (fee === undefined) return <Alert color="orange">{texts.noPrice}</Alert>
  const balance = wallet.data?.balance
  return (
    <>
      <Group justify="space-between">
        <Text>{texts.total(formatNumber(count, language), formatVnd(fee, language))}</Text>
        <Text fw={650} fz="lg">
          {formatVnd(fee * count, language)}
        </Text>
      </Group>
      {!isBegun && balance !== undefined && (
        <Text size="sm" c="dimmed">
          {texts.balance}: {formatVnd(balance, language)}
        </Text>
      )}
      {!isBegun && balance !== undefined && balance < fee * count && (
        <Alert color="orange" variant="light">
          {texts.tooLow}
        </Alert>
      )}
    </>
  )
}

function Result(props: { header: CsvRow; name: string; handedIn: HandedIn; unreadable: RefusedRow[] }) {
  const { header, name, handedIn, unreadable } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const refused = [...unreadable, ...handedIn.refused].sort((one, other) => one.line - other.line)
  const show = (value: number) => formatNumber(value, language)

  function download(): void {
    const rows = refused.map(({ fields, line, reason }) => [
      ...header.map((_, column) => fields[column] ?? ''),
      String(line),
      reason,
    ])
    const file = writeCsv([[...header, texts.row, texts.reason], ...rows])
    saveFile(new Blob([file], { type: 'text/csv' }), `${name || 'batch'}-refused.csv`)
  }

  return (
    <Card title={texts.result}>
      <Stack>
        <Text role="status">{texts.acceptedRefused(show(handedIn.accepted), show(refused.length))}</Text>
        {refused.length > 0 && (
          <Group>
            <Button variant="default" leftSection={<IconDownload size={16} />} onClick={download}>
              {texts.download}
            </Button>
          </Group>
        )}
        {handedIn.batchIds.map((id) => (
          <Live key={id} id={id} />
        ))}
      </Stack>
    </Card>
  )
}

/** The progress of one call's batch. */
function Live({ id }: { id: string }) {
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
          {data.name === '' ? id : data.name}
        </Anchor>
        <CancelBatch batch={data} />
      </Group>
      <BatchProgress batch={data} />
    </Stack>
  )
}
