import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Card, ProblemNote } from '../../../../components/page.tsx'
import { formatNumber, formatVnd } from '../../../../format.ts'
import { useLanguage, useTexts } from '../../../../texts/language.tsx'
import type { Template } from '../../../templates/editor/draft.ts'
import { CheckSums, RefusedRows } from '../batch-check.tsx'
import { batchTexts } from '../batch-texts.ts'
import {
  MAX_MESSAGES,
  type Mapping,
  type Misfit,
  misfitReason,
  type Planned,
  planBatch,
  type RefusedRow,
} from '../plan-batch.ts'
import type { Sheet } from '../sheet.ts'
import { useBatchCheck } from '../use-batch-check.ts'
import { walletQuery } from '../wallet-query.ts'
import { saveRows } from './save-rows.ts'
import { useSendQuestion, useSmsCost } from './send-question.tsx'

/** The price, the check, and the sending, which asks first. */
export function BatchSending(props: {
  sheet: Sheet
  template: Template
  mapping: Mapping
  fileName: string
  scheduledAt: string | undefined
  isHeldBack: boolean
  sending: { isPending: boolean; error: unknown }
  onSend: (checked: { rows: Planned[]; unsent: RefusedRow[] }) => void
}) {
  const { sheet, template, mapping, fileName, scheduledAt, isHeldBack, sending, onSend } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const plan = useMemo(() => {
    const misfit = (one: Misfit) => misfitReason(one, template, texts.misfits)
    return planBatch(sheet, mapping, { ...texts, misfit })
  }, [sheet, template, mapping, texts])
  const { header } = sheet
  const [isOnce, setOnce] = useState(true)
  const check = useBatchCheck(template, plan.planned, isOnce ? texts.repeated : undefined)
  // Another time has another quota, and may be at night.
  const checked = check.variables === scheduledAt ? check.data : undefined
  const show = (value: number) => formatNumber(value, language)
  const sms = useSmsCost(template, mapping.channel)
  const askToSend = useSendQuestion(template, scheduledAt)
  const unsent = [...plan.refused, ...(checked?.refused ?? [])].sort((one, other) => one.line - other.line)

  return (
    <>
      <Card title={texts.price}>
        <Stack>
          <Price
            template={template}
            mapping={mapping}
            count={checked?.rows.length ?? plan.planned.length}
            isChecked={checked !== undefined}
          />
          <Checkbox
            label={texts.once}
            checked={isOnce}
            onChange={(event) => {
              setOnce(event.currentTarget.checked)
              check.reset()
            }}
          />
          {checked !== undefined && <CheckSums checked={checked} refused={unsent.length} />}
          {check.isPending && plan.planned.length > MAX_MESSAGES && (
            <Text size="sm" role="status">
              {texts.checking(show(check.checkedRows), show(plan.planned.length))}
            </Text>
          )}
          {check.error !== null && <ProblemNote error={check.error} />}
          {checked !== undefined && sms.error !== null && <ProblemNote error={sms.error} />}
          {sending.error !== null && <ProblemNote error={sending.error} />}
          <Group>
            {checked !== undefined && checked.rows.length > 0 && (
              <Button
                loading={sending.isPending}
                disabled={isHeldBack || sms.vnd === undefined}
                onClick={() => askToSend(checked, sms.vnd ?? 0, () => onSend({ rows: checked.rows, unsent }))}
              >
                {texts.confirm(show(checked.rows.length))}
              </Button>
            )}
            {plan.planned.length > 0 && (
              <Button
                variant={checked === undefined ? 'filled' : 'default'}
                loading={check.isPending}
                onClick={() => {
                  if (sms.error !== null) void sms.refetch()
                  check.mutate(scheduledAt)
                }}
              >
                {checked === undefined ? texts.check(show(plan.planned.length)) : texts.checkAgain}
              </Button>
            )}
          </Group>
        </Stack>
      </Card>
      {unsent.length > 0 && (
        <RefusedRows
          refused={unsent}
          mapping={mapping}
          onDownload={() => saveRows(fileName, header, unsent, texts)}
        />
      )}
    </>
  )
}

function Price(props: { template: Template; mapping: Mapping; count: number; isChecked: boolean }) {
  const { template, mapping, count, isChecked } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const wallet = useQuery(walletQuery)
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
      {!isChecked && balance !== undefined && (
        <Text size="sm" c="dimmed">
          {texts.balance}: {formatVnd(balance, language)}
        </Text>
      )}
      {!isChecked && balance !== undefined && balance < fee * count && (
        <Alert color="orange" variant="light">
          {texts.tooLow}
        </Alert>
      )}
    </>
  )
}
