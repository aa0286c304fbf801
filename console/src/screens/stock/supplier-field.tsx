import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTexts } from '../../texts/language.tsx'
import { suppliersQuery } from './note-queries.ts'
import { stockTexts } from './texts.ts'

const SUGGEST_AFTER_MS = 180

/** The supplier of goods: any name. Earlier suppliers are suggested, ignoring accents. */
export function SupplierField(props: { value: string; disabled: boolean; onChange: (name: string) => void }) {
  const texts = useTexts(stockTexts)
  const [searched] = useDebouncedValue(props.value.trim(), SUGGEST_AFTER_MS)
  const { data = [] } = useQuery({ ...suppliersQuery(searched), placeholderData: keepPreviousData })
  return (
    <Autocomplete
      label={texts.supplier}
      placeholder={texts.supplierHint}
      maxLength={200}
      value={props.value}
      disabled={props.disabled}
      data={data}
      // The service has already searched.
      filter={({ options }) => options}
      onChange={props.onChange}
    />
  )
}
