import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Shift } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { ask } from '../../components/dialogs/questions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { WhatsThis } from '../../help/whats-this.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useWaitingSales } from '../pos/outage/use-waiting-sales.ts'
import { Difference, useDifferenceText } from './difference.tsx'
import type { RefuseUnrecorded } from './move-cash.tsx'
import { STALE } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

/**
 * Closes a shift with the counted cash. The booked difference is the one that is shown. A closed shift cannot be changed, so a
 * difference is asked about first: a digit may be missing. A cash movement that is not recorded would be lost, so it is refused.
 */
export function CloseShift(props: {
  shift: Shift
  refuse: RefObject<RefuseUnrecorded | null>
  onClosed: () => void
}) {
  const { shift } = props
  const texts = useTexts(shiftTexts)
  const words = useTexts(common)
  const differenceText = useDifferenceText()
  const client = useQueryClient()
  const { language } = useLanguage()
  const waiting = useWaitingSales(shift.shopId)
  const form = useKeptForm(`close ${shift._id}`, { countedCash: null as number | null, note: '' })
  const { countedCash } = form.values
  const closing = useAction({
    form,
    async run({ countedCash: counted, note }: typeof form.values) {
      const body = { countedCash: counted ?? 0, expectedCash: shift.expectedCash, note }
      try {
        return await dataOf(
          api.POST('/api/external/v1/shifts/{id}/close', { params: { path: { id: shift._id } }, body }),
        )
      } catch (error) {
        // The current expected cash is shown beside the refusal.
        await client.invalidateQueries({ queryKey: ['shifts'] })
        throw error
      }
    },
    stale: STALE,
    done: texts.closedNow,
    quiet: true,
    onDone: props.onClosed,
  })
  function close(values: typeof form.values) {
    if (props.refuse.current?.()) return
    const difference = (values.countedCash ?? 0) - shift.expectedCash
    if (difference === 0) return closing.mutate(values)
    ask({
      title: words.confirmTitle,
      children: <Text size="sm">{texts.closeQuestion(differenceText(difference))}</Text>,
      labels: { confirm: texts.close, cancel: texts.countAgain },
      onConfirm: () => closing.mutate(values),
    })
  }
  return (
    <form aria-label={texts.closeTitle} onSubmit={form.onSubmit(close)}>
      <Stack gap="sm">
        {closing.error !== null && <ProblemNote error={closing.error} />}
        {waiting.length > 0 && (
          <Alert color="yellow" role="status">
            {texts.salesWait(formatNumber(waiting.length, language))}
          </Alert>
        )}
        <MoneyInput label={texts.countedCash} required {...form.getInputProps('countedCash')} />
        <Group justify="space-between">
          <span>{texts.expectedCash}</span>
          <Money vnd={shift.expectedCash} />
        </Group>
        <Group justify="space-between" role="status">
          <Group gap={6}>
            {texts.difference}
            <WhatsThis term="cashDifference" of={texts.difference} />
          </Group>
          {countedCash === null ? <span>–</span> : <Difference vnd={countedCash - shift.expectedCash} />}
        </Group>
        <Textarea label={texts.note} autosize minRows={1} {...form.getInputProps('note')} />
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {texts.closeHint}
          </Text>
          <Button type="submit" loading={closing.isPending}>
            {texts.close}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
