import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DateInput } from '../../components/forms/date-input.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import type { Applied } from '../../components/lists/applied.tsx'
import { FoldedFields } from '../../components/lists/folded-fields.tsx'
import { SearchField } from '../../components/lists/search-field.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Filter } from './order-filter.ts'
import { sellersQuery } from './order-queries.ts'
import { PAYMENTS, PLATFORMS, useChannelName, usePaymentName } from './order-values.tsx'
import { orderTexts } from './texts.ts'

type Props = { list: Filter; setList: (change: Partial<Filter>) => void }

const SMALL = { miw: 0, w: { sm: 145 } }
/** Wide enough for the form of a date, beside its calendar. */
const DATE = { miw: 0, w: { sm: 172 } }

/** The fields above the list of orders. */
export function Filters({ list, setList, applied }: Props & { applied: Applied<Filter>[] }) {
  const texts = useTexts(orderTexts)
  const { from, to } = useTexts(common)
  return (
    <FoldedFields
      applied={applied}
      search={
        <SearchField
          value={list.search}
          onSearch={(text) => setList({ search: text })}
          hint={texts.searchHint}
          placeholder={texts.searchPlaceholder}
          maw={{ base: 'none', sm: 360 }}
        />
      }
    >
      <DateInput {...DATE} label={from} value={list.from} onChange={(from) => setList({ from, since: '' })} />
      <DateInput {...DATE} label={to} value={list.to} onChange={(to) => setList({ to, until: '' })} />
      <Choice
        label={texts.payment}
        values={PAYMENTS}
        nameOf={usePaymentName()}
        value={list.payment}
        onChange={(payment) => setList({ payment })}
      />
      <Choice
        label={texts.channel}
        values={PLATFORMS}
        nameOf={useChannelName()}
        value={list.platform}
        onChange={(platform) => setList({ platform })}
      />
      <SellerChoice list={list} setList={setList} />
    </FoldedFields>
  )
}

/** One of several values, or all. An unknown value from the address is offered too. */
function Choice(props: {
  label: string
  values: readonly string[]
  nameOf: (value: string) => string
  value: string
  onChange: (value: string) => void
  onFocus?: () => void
}) {
  const { values, nameOf, value, onChange, ...field } = props
  const { all } = useTexts(common)
  const data = [...new Set(['', ...values, value])]
  return (
    <Select
      {...SMALL}
      allowDeselect={false}
      data={data.map((one) => ({ value: one, label: one === '' ? all : nameOf(one) }))}
      value={value}
      onChange={(chosen) => onChange(chosen ?? '')}
      {...field}
    />
  )
}

function SellerChoice({ list, setList }: Props) {
  const texts = useTexts(orderTexts)
  const [isAsked, setAsked] = useState(false)
  const sellers = useQuery({ ...sellersQuery, enabled: isAsked })
  const names = new Map([
    ...(sellers.data ?? []).map(({ id, name }) => [id, name] as const),
    ['none', texts.noSeller],
  ])
  const nameOf = (id: string) => names.get(id) ?? list.by
  return (
    <Choice
      label={texts.soldBy}
      values={[...names.keys()]}
      nameOf={nameOf}
      value={list.seller}
      onChange={(seller) =>
        setList({ seller, by: names.has(seller) && seller !== 'none' ? nameOf(seller) : '' })
      }
      onFocus={() => setAsked(true)}
    />
  )
}
