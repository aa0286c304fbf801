import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card } from '../../../components/page.tsx'
import { formatNumber, formatTime, formatVnd } from '../../../format.ts'
import { WhatsThis } from '../../../help/whats-this.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { batchTexts } from './batch-texts.ts'
import type { Mapping, RefusedRow } from './plan-batch.ts'
import type { CheckedBatch } from './use-batch-check.ts'
import { walletQuery } from './wallet-query.ts'

const SHOWN_ROWS = 20

/**
 * The result of a check: how many messages would be sent, their cost, what remains in the wallet, and what would wait. A test
 * after the check changes the balance.
 */
export function CheckSums({ checked, refused }: { checked: CheckedBatch; refused: number }) {
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const { rows, fees } = checked
  const balance = useQuery(walletQuery).data?.balance ?? checked.balance
  const show = (value: number) => formatNumber(value, language)
  const sums: [string, number][] = [
    [texts.balance, balance],
    [texts.fees, -fees],
    [texts.balanceAfter, balance - fees],
  ]
  return (
    <Stack gap="xs">
      <Text role="status" fw={600}>
        {texts.checked(show(rows.length), show(refused))}
      </Text>
      {sums.map(([label, value]) => (
        <Group key={label} justify="space-between">
          <Text>{label}</Text>
          <Text fw={600}>{formatVnd(value, language)}</Text>
        </Group>
      ))}
      {balance < fees && (
        <Alert color="orange" variant="light">
          {texts.tooLow}
        </Alert>
      )}
      {rows.length > 0 && <CheckedWaits checked={checked} />}
      <Text size="sm" c="dimmed">
        {texts.checkedHint}
      </Text>
    </Stack>
  )
}

function CheckedWaits({ checked: { rows, quota, nightUntil, expiresAt } }: { checked: CheckedBatch }) {
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const show = (value: number) => formatNumber(value, language)
  return (
    <>
      <Group gap={6} wrap="nowrap">
        {quota === null ? (
          <Text size="sm">{texts.quotaUnknown}</Text>
        ) : quota.waiting === 0 ? (
          <Text size="sm">{texts.quotaEnough(show(quota.left))}</Text>
        ) : (
          <Alert color="orange" variant="light" flex={1}>
            {expiresAt === null
              ? texts.quotaShort(show(quota.left), show(quota.waiting), formatTime(quota.resumesAt, language))
              : texts.quotaShortOtp(show(quota.left), show(quota.waiting))}
          </Alert>
        )}
        <WhatsThis term="quota" of={texts.quota} />
      </Group>
      {nightUntil !== null && (
        <Group gap={6} wrap="nowrap">
          <Alert color="orange" variant="light" flex={1}>
            {expiresAt === null
              ? texts.night(show(rows.length), formatTime(nightUntil, language))
              : texts.nightOtp(show(rows.length))}
          </Alert>
          <WhatsThis term="nightHours" of={texts.nightHours} />
        </Group>
      )}
    </>
  )
}

/** The rows that would not be sent, each with its reason: the first ones in a list, and all as a file. */
export function RefusedRows(props: { refused: RefusedRow[]; mapping: Mapping; onDownload: () => void }) {
  const { refused, mapping, onDownload } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const show = (value: number) => formatNumber(value, language)
  return (
    <Card
      title={texts.unsentRows}
      actions={
        <Button variant="default" size="xs" onClick={onDownload}>
          {texts.download}
        </Button>
      }
    >
      <DataTable
        columns={[
          { title: texts.row, isNumber: true, width: 80, cell: ({ line }) => line },
          { title: texts.recipient, cell: ({ fields }) => fields[mapping.recipient ?? 0] ?? '' },
          { title: texts.reason, cell: ({ reason }) => reason },
        ]}
        rows={refused.slice(0, SHOWN_ROWS)}
        keyOf={({ line }) => String(line)}
      />
      {refused.length > SHOWN_ROWS && (
        <Alert color="gray" mt="sm">
          {texts.moreRefused(show(refused.length - SHOWN_ROWS))}
        </Alert>
      )}
    </Card>
  )
}
