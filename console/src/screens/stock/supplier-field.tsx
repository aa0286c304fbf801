import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import type { SuggestedSupplier } from './suggested-supplier.tsx'
import { stockTexts } from './texts.ts'

/** Whom goods came from: any name. The list of earlier ones is fetched when somebody goes to the field. */
export function SupplierField(props: { value: string; disabled: boolean; onChange: (name: string) => void }) {
  const texts = useTexts(stockTexts)
  const [Suggested, setSuggested] = useState<typeof SuggestedSupplier>()
  const hasFocus = useRef(false)
  const field = {
    label: texts.supplier,
    placeholder: texts.supplierHint,
    maxLength: 200,
    value: props.value,
    disabled: props.disabled,
  }
  if (Suggested !== undefined)
    return <Suggested {...field} hasFocus={hasFocus.current} onChange={props.onChange} />
  return (
    <TextInput
      {...field}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      autoComplete="off"
      onChange={(event) => props.onChange(event.currentTarget.value)}
      onFocus={() => {
        hasFocus.current = true
        // Without the list the field still works.
        import('./suggested-supplier.tsx')
          .then((part) => setSuggested(() => part.SuggestedSupplier))
          .catch(() => undefined)
      }}
      onBlur={() => {
        hasFocus.current = false
      }}
    />
  )
}
