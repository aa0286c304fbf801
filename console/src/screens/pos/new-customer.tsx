import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import type { Customer } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { ProblemNote } from '../../components/page.tsx'
import { formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { customerTexts } from '../customers/texts.ts'
import { newCustomerTexts } from './new-customer-texts.ts'
import { isPhoneText } from './phone-text.ts'

/**
 * Creates a customer with two fields, which is all that a counter has time for. The search text fills the matching field. If
 * another customer has the phone number, that one can be chosen instead.
 */
export function NewCustomer({ typed, onDone }: { typed: string; onDone: (made: Customer) => void }) {
  const texts = useTexts(customerTexts)
  const { save } = useTexts(common)
  const isPhone = isPhoneText(typed)
  const form = useKeptForm('customer at the counter', {
    phone: isPhone ? typed.trim() : '',
    fullName: isPhone ? '' : typed.trim(),
  })
  const { shop } = useSession()
  const once = useSentOnce<typeof form.values>(`customer at the counter ${shop?._id}`)
  const saving = useAction({
    form,
    run: async (body: typeof form.values) =>
      once.send(
        body,
        async (headers) => (await dataOf(api.POST('/api/external/v1/customers', { body, headers }))).data,
      ),
    stale: [['customers']],
    done: texts.saved,
    quiet: true,
    onDone,
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && (
          <Refused
            error={saving.error}
            phone={saving.variables?.phone ?? ''}
            onChoose={(customer) => {
              form.saved()
              onDone(customer)
            }}
          />
        )}
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

/** Why the customer was not created: if another one has the phone number, who it is, and a button that chooses them. */
function Refused(props: { error: Error; phone: string; onChoose: (customer: Customer) => void }) {
  const { error, phone, onChoose } = props
  const texts = useTexts(newCustomerTexts)
  const isTaken = error instanceof Problem && error.code === 'CUSTOMER_PHONE_TAKEN'
  const found = useQuery({
    queryKey: ['customers', 'with phone', phone],
    enabled: isTaken,
    queryFn: () => findByPhone(phone),
  })
  const owner = found.data ?? undefined
  if (!isTaken || owner === undefined) return found.isLoading ? null : <ProblemNote error={error} />
  const name = owner.fullName || formatPhone(owner.phone)
  return (
    <ProblemNote error={error.saying(texts.isOf(formatPhone(owner.phone), name))}>
      <Button size="xs" onClick={() => onChoose(owner)}>
        {texts.choose(name)}
      </Button>
    </ProblemNote>
  )
}

/** The customer with this phone number, however it was typed; null if it is not found. */
async function findByPhone(typed: string): Promise<Customer | null> {
  const query = { search: typed, page: 1, limit: 8, total: 'none' } as const
  const { data } = await dataOf(api.GET('/api/external/v1/customers', { params: { query } }))
  const national = typed.replace(/\D/g, '').replace(/^(84|0)/, '')
  return data.customers.find(({ phone }) => phone.endsWith(national)) ?? null
}
