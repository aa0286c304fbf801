import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Customer } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { DateInput } from '../../components/forms/date-input.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { ProblemNote } from '../../components/page.tsx'
import { formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { customerTexts } from './texts.ts'

const valuesOf = (customer: Customer | undefined) => ({
  fullName: customer?.fullName ?? '',
  phone: formatPhone(customer?.phone ?? ''),
  email: customer?.email ?? '',
  birthday: customer?.birthday ?? '',
  note: customer?.note ?? '',
})

async function readCustomer(id: string): Promise<Customer> {
  const call = api.GET('/api/external/v1/customers', { params: { query: { ids: id } } })
  return (await dataOf(call)).data.customers[0]!
}

/** The form of a new customer, or of the given one. Refusals are shown at their fields. */
export function CustomerForm({
  customer,
  onDone,
}: {
  customer: Customer | undefined
  onDone: (saved: { data: Customer }) => void
}) {
  const texts = useTexts(customerTexts)
  const { save } = useTexts(common)
  const { shop, canWrite } = useSession()
  const name = `customer ${customer?._id ?? 'new'}`
  const form = useKeptForm(name, valuesOf(customer))
  const edit = useEdit({
    name,
    record: customer,
    valuesOf,
    read: () => readCustomer(customer!._id),
    put: (values, isSaved) => form.put(values, isSaved),
    labels: texts,
  })
  const once = useSentOnce<typeof form.values>(`customer ${shop?._id}`)
  const saving = useAction({
    form,
    run: (body: typeof form.values) =>
      customer === undefined
        ? once.send(body, (headers) => dataOf(api.POST('/api/external/v1/customers', { body, headers })))
        : edit
            .save(body, async (values, headers) => {
              const params = { path: { id: customer._id } }
              const call = api.PATCH('/api/external/v1/customers/{id}', { params, body: values, headers })
              return (await dataOf(call)).data
            })
            .then((data) => ({ data })),
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
        <TextInput
          label={texts.fullName}
          required
          data-autofocus
          disabled={!canWrite}
          {...form.getInputProps('fullName')}
        />
        <TextInput label={texts.phone} type="tel" disabled={!canWrite} {...form.getInputProps('phone')} />
        <TextInput label={texts.email} type="email" disabled={!canWrite} {...form.getInputProps('email')} />
        <DateInput label={texts.birthday} isPast disabled={!canWrite} {...form.getInputProps('birthday')} />
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
