import { Alert, Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { saveFile } from '../../../components/download.ts'
import { useLeaveQuestion } from '../../../components/forms/leave-question.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { writeCsv } from '../../../csv.ts'
import { formatNumber, formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { Template } from '../../templates/editor/draft.ts'
import { CheckSums, RefusedRows } from './batch-check.tsx'
import { batchTexts } from './batch-texts.ts'
import { LiveBatch } from './live-batch.tsx'
import { type Mapping, planBatch, type RefusedRow } from './plan-batch.ts'
import type { Sheet } from './sheet.ts'
import { useBatchCheck } from './use-batch-check.ts'
import { type HandedIn, useBatchSending } from './use-batch-sending.ts'

/** The price, the check, the confirmation, and then the progress. */
export function BatchSending(props: {
  sheet: Sheet
  template: Template
  mapping: Mapping
  name: string
  scheduledAt: string | undefined
  isHeldBack: boolean
  /** Called when sending starts or some messages are accepted: from then on the plan cannot change. */
  onBegun: (isBegun: boolean) => void
}) {
  const { sheet, template, mapping, name, scheduledAt, isHeldBack, onBegun } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const plan = useMemo(() => planBatch(sheet, mapping, texts), [sheet, mapping, texts])
  const { header } = sheet
  const [isOnce, setOnce] = useState(true)
  const check = useBatchCheck(template, plan.planned, isOnce ? texts.repeated : undefined)
  // Another time has another quota, and may be at night.
  const checked = check.variables === scheduledAt ? check.data : undefined
  const order = { template, name, scheduledAt, rows: checked?.rows ?? [] }
  const { sending, handedIn } = useBatchSending(order)
  useLeaveQuestion(sending.isPending)
  const count = checked?.rows.length ?? plan.planned.length
  const show = (value: number) => formatNumber(value, language)
  const isBegun = sending.isPending || handedIn.batchIds.length > 0
  useEffect(() => onBegun(isBegun), [isBegun, onBegun])
  const unsent = [...plan.refused, ...(checked?.refused ?? [])]

  function download(refused: RefusedRow[]): void {
    const lines = refused.map(({ fields, line, reason }) => [
      ...header.map((_, column) => fields[column] ?? ''),
      String(line),
      reason,
    ])
    const file = writeCsv([[...header, texts.row, texts.reason], ...lines])
    saveFile(new Blob([file], { type: 'text/csv' }), texts.refusedFile(name || texts.title))
  }

  return (
    <>
      <Card title={texts.price}>
        <Stack>
          <Price
            template={template}
            mapping={mapping}
            count={count}
            isBegun={isBegun || checked !== undefined}
          />
          {!isBegun && (
            <Checkbox
              label={texts.once}
              checked={isOnce}
              onChange={(event) => {
                setOnce(event.currentTarget.checked)
                check.reset()
              }}
            />
          )}
          {!isBegun && checked !== undefined && <CheckSums checked={checked} refused={unsent.length} />}
          {isBegun && (
            <Progress
              value={count === 0 ? 100 : (handedIn.rows / count) * 100}
              aria-label={texts.handedIn(show(handedIn.rows), show(count))}
            />
          )}
          {isBegun && <Text size="sm">{texts.handedIn(show(handedIn.rows), show(count))}</Text>}
          {check.error !== null && <ProblemNote error={check.error} />}
          {sending.error !== null && <ProblemNote error={sending.error} />}
          <Group>
            {checked !== undefined && handedIn.rows < count && (
              <Button
                loading={sending.isPending}
                disabled={isHeldBack && !isBegun}
                onClick={() => sending.mutate(undefined)}
              >
                {isBegun ? texts.goOn : texts.confirm(show(count))}
              </Button>
            )}
            {!isBegun && plan.planned.length > 0 && (
              <Button
                variant={checked === undefined ? 'filled' : 'default'}
                loading={check.isPending}
                onClick={() => check.mutate(scheduledAt)}
              >
                {checked === undefined ? texts.check(show(plan.planned.length)) : texts.checkAgain}
              </Button>
            )}
          </Group>
        </Stack>
      </Card>
      {!isBegun && checked !== undefined && unsent.length > 0 && (
        <RefusedRows
          refused={unsent.sort((one, other) => one.line - other.line)}
          mapping={mapping}
          onDownload={() => download(unsent)}
        />
      )}
      {(handedIn.batchIds.length > 0 || plan.planned.length === 0) && (
        <Result handedIn={handedIn} unsent={unsent} onDownload={download} />
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

function Result(props: {
  handedIn: HandedIn
  unsent: RefusedRow[]
  onDownload: (refused: RefusedRow[]) => void
}) {
  const { handedIn, unsent, onDownload } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const refused = [...unsent, ...handedIn.refused].sort((one, other) => one.line - other.line)
  const show = (value: number) => formatNumber(value, language)

  return (
    <Card title={texts.result}>
      <Stack>
        <Text role="status">{texts.acceptedRefused(show(handedIn.accepted), show(refused.length))}</Text>
        {refused.length > 0 && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              onClick={() => onDownload(refused)}
            >
              {texts.download}
            </Button>
          </Group>
        )}
        {handedIn.batchIds.map((id) => (
          <LiveBatch key={id} id={id} />
        ))}
      </Stack>
    </Card>
  )
}
