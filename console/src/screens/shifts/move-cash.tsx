import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { STALE } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

/** Records cash put into the drawer of an open shift, or taken out of it, with the reason. */
export function MoveCash({ shiftId }: { shiftId: string }) {
  const texts = useTexts(shiftTexts)
  const form = useKeptForm(
    `cash ${shiftId}`,
    { direction: 'out', vnd: null as number | null, reason: '' },
    { validate: { reason: (text) => (text.trim() === '' ? texts.reasonNeeded : null) } },
  )
  const moving = useAction({
    form,
    run: ({ direction, vnd, reason }: typeof form.values) =>
      dataOf(
        api.POST('/api/external/v1/shifts/{id}/cash', {
          params: { path: { id: shiftId } },
          body: { amount: (direction === 'in' ? 1 : -1) * (vnd ?? 0), reason },
        }),
      ),
    stale: STALE,
    done: texts.moved,
    quiet: true,
    onDone: () => form.clear(),
  })
  return (
    <form aria-label={texts.moveCash} onSubmit={form.onSubmit((values) => moving.mutate(values))}>
      <Stack gap="sm">
        {moving.error !== null && <ProblemNote error={moving.error} />}
        <SegmentedControl
          aria-label={texts.direction}
          data={[
            { value: 'out', label: texts.out },
            { value: 'in', label: texts.in },
          ]}
          {...form.getInputProps('direction')}
        />
        <MoneyInput label={texts.amount} {...form.getInputProps('vnd')} error={form.errors.amount} />
        <TextInput label={texts.reason} description={texts.reasonHint} {...form.getInputProps('reason')} />
        <Group justify="flex-end">
          <Button
            type="submit"
            variant="default"
            loading={moving.isPending}
            disabled={(form.values.vnd ?? 0) === 0}
          >
            {texts.moveCash}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
