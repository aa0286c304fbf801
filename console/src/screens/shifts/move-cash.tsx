import { Alert, Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type RefObject, useImperativeHandle, useRef } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { ProblemNote } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { STALE } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

type CashBody = { amount: number; reason: string }
const EMPTY = { direction: 'out', amount: null as number | null, reason: '' }

/** Refuses a movement that is typed and not recorded, at its field. @returns whether there is one. */
export type RefuseUnrecorded = () => boolean

/** Records cash put into or taken out of the drawer of an open shift, with the reason. */
export function MoveCash(props: { shiftId: string; refuse: RefObject<RefuseUnrecorded | null> }) {
  const { shiftId } = props
  const texts = useTexts(shiftTexts)
  const words = useTexts(common)
  const { send, unsure } = useSentOnce<CashBody>(`cash ${shiftId}`)
  const form = useKeptForm(
    `cash ${shiftId}`,
    unsure === undefined
      ? EMPTY
      : {
          direction: unsure.amount < 0 ? 'out' : 'in',
          amount: Math.abs(unsure.amount),
          reason: unsure.reason,
        },
    {
      validate: {
        amount: (vnd) => (vnd ? null : words.aboveZero),
        reason: (text) => (text.trim() === '' ? texts.reasonNeeded : null),
      },
    },
  )
  const amount = useRef<HTMLInputElement>(null)
  const reason = useRef<HTMLInputElement>(null)
  useImperativeHandle(props.refuse, () => () => {
    const typed = Object.entries({ amount, reason }).find(([, { current }]) => current?.value.trim())
    if (typed === undefined) return false
    const [name, field] = typed
    form.setErrors({ [name]: texts.unrecorded })
    field.current?.focus()
    return true
  })
  const moving = useAction({
    form,
    run({ direction, amount, reason }: typeof form.values) {
      const body = { amount: (direction === 'in' ? 1 : -1) * (amount ?? 0), reason }
      const path = { id: shiftId }
      return send(body, (headers) =>
        dataOf(api.POST('/api/external/v1/shifts/{id}/cash', { params: { path }, headers, body })),
      )
    },
    stale: STALE,
    done: texts.moved,
    quiet: true,
    onDone: () => form.put(EMPTY, true),
  })
  return (
    <form aria-label={texts.moveCash} onSubmit={form.onSubmit((values) => moving.mutate(values))}>
      <Stack gap="sm">
        {moving.error !== null && <ProblemNote error={moving.error} />}
        {unsure !== undefined && !moving.isPending && <Alert color="yellow">{words.unsure}</Alert>}
        <SegmentedControl
          aria-label={texts.direction}
          data={[
            { value: 'out', label: texts.out },
            { value: 'in', label: texts.in },
          ]}
          {...form.getInputProps('direction')}
        />
        <MoneyInput ref={amount} label={texts.amount} {...form.getInputProps('amount')} />
        <TextInput
          ref={reason}
          label={texts.reason}
          description={texts.reasonHint}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={moving.isPending}>
            {form.values.direction === 'in' ? texts.in : texts.out}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
