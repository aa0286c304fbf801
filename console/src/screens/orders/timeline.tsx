import { Timeline as Steps, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { type Step, timelineQuery } from './order-queries.ts'
import { useMethodName } from './order-values.tsx'
import { orderTexts } from './texts.ts'

/** The events of an order, oldest first. */
export function Timeline({ orderId }: { orderId: string }) {
  const texts = useTexts(orderTexts)
  const { olderSteps, doneBy } = useTexts(common)
  const { language } = useLanguage()
  const statuses: Record<string, string> = texts.statuses
  const methodName = useMethodName()
  const steps = useQuery(timelineQuery(orderId))
  const name = (status: string | null | undefined) => (status ? (statuses[status] ?? status) : '–')
  function titleOf({ type, from, to, amount = 0 }: Step): string {
    if (type === 'created') return texts.created
    if (type === 'payment') return amount < 0 ? texts.paidBack : texts.paidIn
    if (type === 'returned') return texts.returned
    if (type === 'status_changed') return texts.statusChanged(name(from), name(to))
    return texts.methodChanged(methodName(from ?? ''), methodName(to ?? ''))
  }
  return (
    <Loaded query={steps}>
      {({ data, soldBy, sentBy }) => (
        <>
          {data[0]?.type !== 'created' && (
            <Text size="sm" c="dimmed" mb={data.length > 0 ? 'sm' : 0}>
              {olderSteps}
            </Text>
          )}
          <Steps active={data.length} bulletSize={16} lineWidth={2}>
            {data.map((step) => (
              <Steps.Item
                key={`${step.type} ${step.at} ${step.to ?? step.paymentId ?? step.returnId ?? ''}`}
                title={titleOf(step)}
              >
                {step.type === 'payment' && (
                  <Text size="sm">
                    <Money vnd={Math.abs(step.amount ?? 0)} /> · {methodName(step.method ?? '')}
                  </Text>
                )}
                {step.type === 'returned' && (
                  <Text size="sm">
                    {texts.pieces(formatNumber(step.quantity ?? 0, language))} ·{' '}
                    <Money vnd={-(step.amount ?? 0)} />
                  </Text>
                )}
                {[step.reasonCancel, step.note].filter(Boolean).map((text) => (
                  <Text size="sm" key={text}>
                    {text}
                  </Text>
                ))}
                <Text size="xs" c="dimmed">
                  <When at={step.at} />
                  {step.type === 'created' && soldBy !== null && sentBy !== null
                    ? ` · ${texts.soldAndSent(doneBy(soldBy), doneBy(sentBy))}`
                    : step.by !== null && ` · ${doneBy(step.by)}`}
                </Text>
              </Steps.Item>
            ))}
          </Steps>
        </>
      )}
    </Loaded>
  )
}
