import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import { formatVnd } from '../../format.ts'
import { useLanguage } from '../../texts/language.tsx'

/** An amount as the rest of the screen writes it. */
const FORMS = {
  vi: { thousandSeparator: '.', decimalSeparator: ',', suffix: ' ₫' },
  en: { thousandSeparator: ',', decimalSeparator: '.', prefix: '₫' },
}

const NO_AMOUNT = {
  vi: (least: string, most: string) => `Số tiền phải từ ${least} đến ${most}.`,
  en: (least: string, most: string) => `The amount must be from ${least} to ${most}.`,
}

const MOST = 9_000_000_000_000

/**
 * An input for whole đồng; null while it is empty. `allowNegative` is for amounts that may be taken away; elsewhere a minus is not
 * dropped, which would make another amount. What is no amount stays in the field, which says so, and a form with it is not sent.
 */
export function MoneyInput(
  props: Omit<NumberInputProps, 'value' | 'onChange'> & {
    value?: number | null
    onChange?: (vnd: number | null) => void
  },
) {
  const { value = null, onChange, allowNegative = false, error, ref, ...rest } = props
  const { language } = useLanguage()
  const field = useRef<HTMLInputElement>(null)
  /** What was typed and is no amount. */
  const [typed, setTyped] = useState<number | string>('')
  const least = allowNegative ? -MOST : 0
  const isAmount = (one: number | string) => typeof one === 'number' && one >= least && one <= MOST
  const shown = value ?? typed
  const isBegun = shown === '' || (allowNegative && shown === '-')
  const wrong =
    isBegun || isAmount(shown)
      ? ''
      : NO_AMOUNT[language](formatVnd(least, language), formatVnd(MOST, language))
  useEffect(() => field.current?.setCustomValidity(wrong), [wrong])
  return (
    <NumberInput
      {...FORMS[language]}
      inputMode="numeric"
      hideControls
      {...rest}
      ref={useMergedRef(ref, field)}
      onPasteCapture={pasteThousands}
      allowDecimal={false}
      clampBehavior="none"
      min={least}
      max={MOST}
      error={wrong || error}
      value={shown}
      onChange={(next) => {
        setTyped(isAmount(next) ? '' : next)
        onChange?.(isAmount(next) ? Number(next) : null)
      }}
    />
  )
}

/** Pastes `45.000` and `45,000` alike: đồng have no decimals, so three digits after one separator are thousands. A minus is kept. */
function pasteThousands(event: ClipboardEvent<HTMLInputElement>) {
  const thousands = /^(\D*)(\d{1,3})[.,](\d{3})\D*$/.exec(event.clipboardData.getData('text'))
  if (thousands === null) return
  const [, before = '', whole, rest] = thousands
  event.preventDefault()
  event.stopPropagation()
  document.execCommand('insertText', false, `${/[-−]/.test(before) ? '-' : ''}${whole}${rest}`)
}
