import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../../../api/client.ts'
import { dataOf } from '../../../../api/problem.ts'
import { ask } from '../../../../components/dialogs/questions.tsx'
import { Facts } from '../../../../components/facts.tsx'
import { formatNumber, formatTime, formatVnd } from '../../../../format.ts'
import { useLanguage, useTexts } from '../../../../texts/language.tsx'
import type { Template } from '../../../templates/editor/draft.ts'
import { batchTexts } from '../batch-texts.ts'
import type { Mapping } from '../plan-batch.ts'
import type { CheckedBatch } from '../use-batch-check.ts'
import { walletQuery } from '../wallet-query.ts'
import { sendingTexts } from './sending-texts.ts'

/**
 * The most that one SMS in place of a message of the template costs, in đồng; 0 if none is sent. A message to a UID is never
 * replaced. `vnd` is undefined until it is known.
 */
export function useSmsCost(template: Template, channel: Mapping['channel']) {
  const { _id: id } = template
  const { data, error, refetch } = useQuery({
    queryKey: ['template', id, 'sms'],
    queryFn: () =>
      dataOf(api.GET('/api/external/notify-template/{id}/sms-text', { params: { path: { id } } })),
    enabled: channel === 'phone',
  })
  if (channel !== 'phone') return { vnd: 0, error: null, refetch }
  const sms = data?.data.smsFallback
  return { vnd: data && (sms?.mostParts ?? 0) * (sms?.price ?? 0), error, refetch }
}

/**
 * Asks before a checked batch is sent: how many messages of which template, when, the highest cost and what then remains in the
 * wallet. A message costs its own fee or that of the SMS in place of it, never both; no SMS is sent that the wallet does not
 * cover. The question goes with the screen that asks it.
 */
export function useSendQuestion(template: Template, scheduledAt: string | undefined) {
  const texts = useTexts(sendingTexts)
  const { confirm } = useTexts(batchTexts)
  const { language } = useLanguage()
  const close = useRef<() => void>(undefined)
  useEffect(() => () => close.current?.(), [])
  return (checked: CheckedBatch, smsVnd: number, onConfirm: () => void) => {
    const count = formatNumber(checked.rows.length, language)
    close.current = ask({
      title: texts.sendTitle,
      children: (
        <Stack gap="xs">
          <SendFacts
            checked={checked}
            smsVnd={smsVnd}
            facts={[
              [texts.messages, count],
              [texts.template, template.name],
              [texts.when, scheduledAt === undefined ? texts.now : formatTime(scheduledAt, language)],
            ]}
          />
          <Text size="sm">{smsVnd > 0 ? texts.smsCostHint : texts.mostCostHint}</Text>
        </Stack>
      ),
      labels: { confirm: confirm(count), cancel: texts.back },
      onConfirm,
    })
  }
}

/** With the balance of now: a test or another batch may have been sent since the check. */
function SendFacts(props: { checked: CheckedBatch; smsVnd: number; facts: [string, string][] }) {
  const { checked, smsVnd, facts } = props
  const texts = useTexts(sendingTexts)
  const { language } = useLanguage()
  const wallet = useQuery({ ...walletQuery, refetchOnMount: 'always' })
  const balance = wallet.data?.balance ?? checked.balance
  const most = Math.min(balance, Math.max(checked.fees, smsVnd * checked.rows.length))
  return (
    <Facts
      facts={[
        ...facts,
        [texts.mostCost, formatVnd(most, language)],
        [texts.balanceLeft, formatVnd(balance - most, language)],
      ]}
    />
  )
}
