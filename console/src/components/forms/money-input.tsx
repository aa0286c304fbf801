import { NumberInput, type NumberInputProps } from '@mantine/core'
import type { ClipboardEvent } from 'react'
import { useLanguage } from '../../texts/language.tsx'

/** An amount as the rest of the screen writes it. */
const FORMS = {
  vi: { thousandSeparator: '.', decimalSeparator: ',', suffix: ' ₫' },
  en: { thousandSeparator: ',', decimalSeparator: '.', prefix: '₫' },
}

/** An input for whole đồng; null while it is empty. */
export function MoneyInput(
  props: Omit<NumberInputProps, 'value' | 'onChange'> & {
    value?: number | null
    onChange?: (vnd: number | null) => void
  },
) {
  const { value, onChange, ...rest } = props
  const { language } = useLanguage()
  return (
    <NumberInput
      {...FORMS[language]}
      inputMode="numeric"
      hideControls
      {...rest}
      onPasteCapture={pasteThousands}
      allowDecimal={false}
      allowNegative={false}
      min={0}
      max={9_000_000_000_000}
      value={value ?? ''}
      onChange={(typed) => onChange?.(typeof typed === 'number' ? typed : null)}
    />
  )
}

/** Pastes `45.000` and `45,000` alike: đồng have no decimals, so three digits after one separator are thousands. */
function pasteThousands(event: ClipboardEvent<HTMLInputElement>) {
  const thousands = /^\D*(\d{1,3})[.,](\d{3})\D*$/.exec(event.clipboardData.getData('text'))
  if (thousands === null) return
  event.preventDefault()
  event.stopPropagation()
  document.execCommand('insertText', false, `${thousands[1]}${thousands[2]}`)
}
