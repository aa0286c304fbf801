import { NumberInput, type NumberInputProps } from '@mantine/core'
import type { ClipboardEvent } from 'react'
import { useLanguage } from '../../texts/language.tsx'

/** An amount as the rest of the screen writes it. */
const FORMS = {
  vi: { thousandSeparator: '.', decimalSeparator: ',', suffix: ' ₫' },
  en: { thousandSeparator: ',', decimalSeparator: '.', prefix: '₫' },
}

const MOST = 9_000_000_000_000

/** An input for whole đồng; null while it is empty. `allowNegative` is for amounts that may be taken away. */
export function MoneyInput(
  props: Omit<NumberInputProps, 'value' | 'onChange'> & {
    value?: number | null
    onChange?: (vnd: number | null) => void
  },
) {
  const { value, onChange, allowNegative = false, ...rest } = props
  const { language } = useLanguage()
  return (
    <NumberInput
      {...FORMS[language]}
      inputMode="numeric"
      hideControls
      {...rest}
      onPasteCapture={(event) => pasteThousands(event, allowNegative)}
      allowDecimal={false}
      allowNegative={allowNegative}
      min={allowNegative ? -MOST : 0}
      max={MOST}
      value={value ?? ''}
      onChange={(typed) => onChange?.(typeof typed === 'number' ? typed : null)}
    />
  )
}

/**
 * Pastes `45.000` and `45,000` alike: đồng have no decimals, so three digits after one separator are thousands. A minus is kept where
 * it may be.
 */
function pasteThousands(event: ClipboardEvent<HTMLInputElement>, allowNegative: boolean) {
  const thousands = /^(\D*)(\d{1,3})[.,](\d{3})\D*$/.exec(event.clipboardData.getData('text'))
  if (thousands === null) return
  const [, before = '', whole, rest] = thousands
  event.preventDefault()
  event.stopPropagation()
  const sign = allowNegative && /[-−]/.test(before) ? '-' : ''
  document.execCommand('insertText', false, `${sign}${whole}${rest}`)
}
