import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { suppliersQuery } from './note-queries.ts'

const SUGGEST_AFTER_MS = 180

/** The field of a supplier with earlier ones suggested, found with or without accents, in the place of one without. */
export function SuggestedSupplier(props: AutocompleteProps & { value: string; hasFocus: boolean }) {
  const { hasFocus, ...field } = props
  const input = useRef<HTMLInputElement>(null)
  const [searched] = useDebouncedValue(props.value.trim(), SUGGEST_AFTER_MS)
  const { data = [] } = useQuery({ ...suppliersQuery(searched), placeholderData: keepPreviousData })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it takes the other's place
  useLayoutEffect(() => {
    if (hasFocus) input.current?.focus()
  }, [])
  // The service has searched.
  return <Autocomplete {...field} ref={input} data={data} filter={({ options }) => options} />
}
