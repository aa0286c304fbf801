import { Button, Group as Row } from '@mantine/core'
import { useState } from 'react'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'
import type { Group, SkuFields, VariantRow } from './variant-rows.ts'

const ALL = 'all'

/** Sets one price for all variants with an option, such as every L, or for all variants. */
export function OptionPrice(props: {
  groups: Group[]
  rows: VariantRow[]
  onSet: (changes: Map<string, Partial<SkuFields>>) => void
}) {
  const texts = useTexts(productTexts)
  const [chosen, setChosen] = useState(ALL)
  const [price, setPrice] = useState<number | null>(null)
  const choices = props.groups.flatMap((group) =>
    group.options.map(({ id, value }) => ({ value: id, label: `${group.name}: ${value}` })),
  )
  const option = choices.some(({ value }) => value === chosen) ? chosen : ALL
  const rows = props.rows.filter(({ options }) => option === ALL || options.some(({ id }) => id === option))
  return (
    <Row align="flex-end" gap="sm">
      <Select
        label={texts.priceFor}
        w={{ base: '100%', xs: 220 }}
        allowDeselect={false}
        data={[{ value: ALL, label: texts.allVariants }, ...choices]}
        value={option}
        onChange={(next) => setChosen(next ?? ALL)}
      />
      <MoneyInput
        label={texts.newPrice}
        w={150}
        value={price}
        onChange={setPrice}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Button
        variant="default"
        disabled={price === null}
        onClick={() => props.onSet(new Map(rows.map(({ key }) => [key, { price }])))}
      >
        {texts.setPrice}
      </Button>
    </Row>
  )
}
