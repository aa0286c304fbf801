import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Customer } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { customerTexts } from './texts.ts'

/** A new customer, or the given one's fields. What the service refuses stands at its field. */
export function CustomerForm({
  customer,
  onDone,
}: {
  customer: Customer | undefined
  onDone: (saved: { data: Customer }) => void
}) {
  const texts = useTexts(customerTexts)
  const { save } = useTexts(common)
  const { canWrite } = useSession()
  const form = useForm({
    initialValues: {
      fullName: customer?.fullName ?? '',
      phone: formatPhone(customer?.phone ?? ''),
      email: customer?.email ?? '',
      note: customer?.note ?? '',
    },
  })
  const saving = useAction({
    form,
    run: (body: typeof form.values) =>
      customer === undefined
        ? dataOf(api.POST('/api/external/v1/customers', { body }))
        : dataOf(
            api.PATCH('/api/external/v1/customers/{id}', { params: { path: { id: customer._id } }, body }),
          ),
    stale: [['customers']],
    done: texts.saved,
    quiet: true,
    onDone,
  })

  const submit = form.onSubmit((values) => saving.mutate(values))

  return (
    <form onSubmit={submit}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <TextInput label={texts.fullName} required disabled={!canWrite} {...form.getInputProps('fullName')} />
        <TextInput label={texts.phone} type="tel" disabled={!canWrite} {...form.getInputProps('phone')} />
        <TextInput label={texts.email} type="email" disabled={!canWrite} {...form.getInputProps('email')} />
        <Textarea
          label={texts.note}
          autosize
          minRows={2}
          disabled={!canWrite}
          {...form.getInputProps('note')}
        />
        {canWrite && (
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isPending}>
              {save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
