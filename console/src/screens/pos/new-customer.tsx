import { Button, Group, Stack, TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Customer } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { ProblemNote } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { customerTexts } from '../customers/texts.ts'
import { isPhoneText } from './phone-text.ts'

/** Creates a customer with two fields, which is all that a counter has time for. The search text fills the matching field. */
export function NewCustomer({ typed, onDone }: { typed: string; onDone: (made: Customer) => void }) {
  const texts = useTexts(customerTexts)
  const { save } = useTexts(common)
  const isPhone = isPhoneText(typed)
  const form = useKeptForm('customer at the counter', {
    phone: isPhone ? typed.trim() : '',
    fullName: isPhone ? '' : typed.trim(),
  })
  const saving = useAction({
    form,
    run: async (body: typeof form.values) =>
      (await dataOf(api.POST('/api/external/v1/customers', { body }))).data,
    stale: [['customers']],
    done: texts.saved,
    quiet: true,
    onDone,
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <TextInput
          label={texts.phone}
          type="tel"
          {...(isPhone ? {} : { 'data-autofocus': true })}
          {...form.getInputProps('phone')}
        />
        <TextInput
          label={texts.fullName}
          required
          {...(isPhone ? { 'data-autofocus': true } : {})}
          {...form.getInputProps('fullName')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
