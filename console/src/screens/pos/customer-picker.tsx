import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUserPlus, IconX } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { isServiceAway, LONGEST_WAIT_MS, useIsAway } from '../../api/connection.ts'
import { isLost } from '../../api/outcome.ts'
import { dataOf } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { Waiting } from '../../components/page.tsx'
import { formatPhone } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { CHOOSE_MARKED } from '../../theme/pickers.ts'
import { findKeptCustomers } from './outage/find-kept.ts'
import type { KeptCustomer } from './outage/kept-store.ts'
import type { SaleCustomer } from './sale.ts'
import { posTexts } from './texts.ts'

const CustomerDebt = lazy(async () => ({ default: (await import('./customer-debt.tsx')).CustomerDebt }))
const NewCustomer = lazy(async () => ({ default: (await import('./new-customer.tsx')).NewCustomer }))

const SEARCH_AFTER_MS = 200
const SHORTEST_SEARCH = 2
/** The option that begins a new customer. */
const NEW = 'new'

/** `isServed`: found by the service. This browser's copy may lack a customer, and must not lead to a second record. */
type Found = { customers: KeptCustomer[]; isServed: boolean }

const customersQuery = (shopId: string, search: string) =>
  queryOptions({
    queryKey: ['customers', 'picker', search],
    queryFn: async (): Promise<Found> => {
      const keptOnes = async () => ({ customers: await findKeptCustomers(shopId, search), isServed: false })
      if (isServiceAway()) return keptOnes()
      const query = { page: 1, limit: 8, total: 'none', search } as const
      const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
      try {
        const { data } = await dataOf(api.GET('/api/external/v1/customers', { params: { query }, signal }))
        return { customers: data.customers, isServed: true }
      } catch (error) {
        if (!isLost(error)) throw error
        return keptOnes()
      }
    },
  })

/** Chooses the customer: found by name or phone, newly created, or a walk-in. */
export function CustomerPicker(props: {
  shopId: string
  field: RefObject<HTMLInputElement | null>
  customer: SaleCustomer | null
  disabled: boolean
  onChoose: (customer: SaleCustomer | null) => void
}) {
  const texts = useTexts(posTexts)
  const { nothingFound } = useTexts(common)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS)
  /** The search text when the form for a new customer was opened; undefined if it was not. */
  const [added, setAdded] = useState<string>()
  /** What was typed when the field was left without a choice. */
  const [left, setLeft] = useState('')
  /** What Enter looks up, until something else is typed or chosen: its answer may be late. */
  const entered = useRef<string>(undefined)
  const isAway = useIsAway()
  const found = useQuery({
    ...customersQuery(props.shopId, search),
    enabled: search.length >= SHORTEST_SEARCH,
    placeholderData: keepPreviousData,
  })
  const customers = search.length < SHORTEST_SEARCH ? [] : (found.data?.customers ?? [])
  const isUnknown =
    search.length >= SHORTEST_SEARCH && found.isSuccess && !found.isPlaceholderData && customers.length === 0
  const newOption =
    isUnknown && found.data.isServed && !isAway ? [{ value: NEW, label: texts.addCustomer(search) }] : []
  const isLeft = left.length >= SHORTEST_SEARCH && !isAway

  function write(typed: string) {
    // The picker empties the field when it is left, which changes no mind.
    if (typed !== '' && typed.trim() !== entered.current) entered.current = undefined
    setText(typed)
  }

  function choose(customer: SaleCustomer | null) {
    entered.current = undefined
    setText('')
    setLeft('')
    props.onChoose(customer)
  }

  /**
   * Enter chooses the only customer with what was typed, even before the list has loaded, or begins a new one if there
   * is none.
   */
  async function takeOnly(typed: string) {
    if (typed.length < SHORTEST_SEARCH) return
    entered.current = typed
    const named = await queryClient.fetchQuery(customersQuery(props.shopId, typed)).catch(() => undefined)
    // Nobody knows whether there is one: a second record of the same customer would be worse than a second Enter.
    if (named === undefined || entered.current !== typed) return
    const { customers, isServed } = named
    if (customers.length === 1) choose(customers[0]!)
    else if (customers.length === 0 && isServed && !isServiceAway()) setAdded(typed)
  }

  if (props.customer !== null) {
    return (
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text fw={500}>{props.customer.fullName}</Text>
          <Text size="sm" c="dimmed">
            {formatPhone(props.customer.phone)}
          </Text>
          <Suspense>
            <CustomerDebt customerId={props.customer._id} />
          </Suspense>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.clearCustomer}
          disabled={props.disabled}
          onClick={() => choose(null)}
        >
          <IconX size={16} />
        </ActionIcon>
      </Group>
    )
  }
  return (
    <>
      <Group wrap="nowrap" align="flex-end" gap="xs">
        <Select
          ref={props.field}
          label={texts.customer}
          placeholder={texts.walkIn}
          description={texts.customerHint}
          // In one line also while the button beside it is wide.
          descriptionProps={{ style: { whiteSpace: 'nowrap' } }}
          flex={1}
          searchable
          wrapperProps={CHOOSE_MARKED}
          // If several customers match, Enter alone chooses none.
          selectFirstOptionOnChange={false}
          disabled={props.disabled}
          data={[
            ...customers.map(({ _id, fullName, phone }) => ({
              value: _id,
              label: phone === '' ? fullName : `${fullName} · ${formatPhone(phone)}`,
            })),
            ...newOption,
          ]}
          filter={({ options }) => options}
          searchValue={text}
          onSearchChange={write}
          nothingFoundMessage={isUnknown ? nothingFound : undefined}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void takeOnly(text.trim())
          }}
          onFocus={() => setLeft('')}
          // The picker empties the field when it is left.
          onBlur={(event) => setLeft(event.currentTarget.value.trim())}
          value={null}
          onChange={(id) => {
            if (id === NEW) setAdded(search)
            else choose(customers.find(({ _id }) => _id === id) ?? null)
          }}
        />
        {/* It grows beside the field: below it, it would move what is being pressed when the field is left. */}
        <Button
          variant={isLeft ? 'light' : 'default'}
          px="xs"
          maw="60%"
          aria-label={isLeft ? texts.addCustomer(left) : texts.newCustomer}
          disabled={props.disabled}
          onClick={() => setAdded(text || left)}
        >
          {isLeft ? (
            <Text span inherit truncate>
              {texts.addCustomer(left)}
            </Text>
          ) : (
            <IconUserPlus size={18} aria-hidden />
          )}
        </Button>
      </Group>
      <FormDialog opened={added !== undefined} onClose={() => setAdded(undefined)} title={texts.newCustomer}>
        {added !== undefined && (
          <Suspense fallback={<Waiting />}>
            <NewCustomer
              typed={added}
              onDone={(made) => {
                setAdded(undefined)
                choose(made)
              }}
            />
          </Suspense>
        )}
      </FormDialog>
    </>
  )
}
