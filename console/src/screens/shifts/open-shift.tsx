import { Button, Group, Stack } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { STALE } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

/** Opens a shift for the signed-in person, with the cash in the drawer. */
export function OpenShift({ onOpened }: { onOpened: () => void }) {
  const texts = useTexts(shiftTexts)
  const form = useKeptForm('open shift', { openingCash: null as number | null })
  const opening = useAction({
    form,
    run: ({ openingCash }: typeof form.values) =>
      dataOf(api.POST('/api/external/v1/shifts', { body: { openingCash: openingCash ?? 0 } })),
    stale: STALE,
    done: texts.openedNow,
    quiet: true,
    onDone: onOpened,
  })
  return (
    <form onSubmit={form.onSubmit((values) => opening.mutate(values))}>
      <Stack>
        {opening.error !== null && <ProblemNote error={opening.error} />}
        <MoneyInput
          label={texts.openingCash}
          description={texts.openingHint}
          required
          autoFocus
          data-autofocus
          {...form.getInputProps('openingCash')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={opening.isPending}>
            {texts.open}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
