import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useDebouncedValue, useMergedRef } from '@mantine/hooks'
import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import { formatVnd } from '../../format.ts'
import { useLanguage } from '../../texts/language.tsx'
import { MOST_VND, pastedAmount } from './amount.ts'

/** An amount as the rest of the screen writes it. */
const FORMS = {
  vi: { thousandSeparator: '.', decimalSeparator: ',', suffix: ' ₫' },
  en: { thousandSeparator: ',', decimalSeparator: '.', prefix: '₫' },
}

const NO_AMOUNT = {
  vi: (least: string, most: string) => `Số tiền phải từ ${least} đến ${most}.`,
  en: (least: string, most: string) => `The amount must be from ${least} to ${most}.`,
}
const NOT_WHOLE = {
  vi: 'Hãy nhập số tiền tròn đồng, không có phần lẻ.',
  en: 'Enter whole đồng, without decimals.',
}

/** `45.000` may become of it, so it is refused only after a pause. */
const IS_BEGUN_GROUP = /^-?\d+\.\d{0,2}$/
const PAUSE_MS = 600

/**
 * An input for whole đồng; null while it is empty. `allowNegative` is for amounts that may be taken away; elsewhere a minus is not
 * dropped, nor are decimals, which would make another amount. What is no amount stays in the field, which says so, and a form with
 * it is not sent.
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
  const least = allowNegative ? -MOST_VND : 0
  const amountOf = (one: number | string) => {
    const amount = wholeOf(one)
    return amount !== undefined && amount >= least && amount <= MOST_VND ? amount : null
  }
  const shown = value ?? typed
  const [rested] = useDebouncedValue(shown, PAUSE_MS)
  const isBegun = shown === '' || (allowNegative && shown === '-')
  const wrong = isBegun || amountOf(shown) !== null ? '' : wrongOf(shown)
  useEffect(() => field.current?.setCustomValidity(wrong), [wrong])
  return (
    <NumberInput
      {...FORMS[language]}
      inputMode="numeric"
      hideControls
      {...rest}
      ref={useMergedRef(ref, field)}
      onPasteCapture={pasteThousands}
      // Leaving the field would make 1 of 1,00.
      trimLeadingZeroesOnBlur={false}
      clampBehavior="none"
      min={least}
      max={MOST_VND}
      error={(rested === shown || !IS_BEGUN_GROUP.test(String(shown)) ? wrong : '') || error}
      value={shown}
      onChange={(next) => {
        const amount = amountOf(next)
        setTyped(amount === null ? next : '')
        onChange?.(amount)
      }}
    />
  )

  function wrongOf(one: number | string): string {
    if (String(one).includes('.')) return NOT_WHOLE[language]
    return NO_AMOUNT[language](formatVnd(least, language), formatVnd(MOST_VND, language))
  }
}

/** The whole number that was typed. Three digits after a separator are thousands, which the reader sees as soon as they are grouped. */
function wholeOf(typed: number | string): number | undefined {
  const digits = String(typed).replace(/\.(?=\d{3}$)/, '')
  return /^-?\d+$/.test(digits) ? Number(digits) : undefined
}

/** Pastes `45.000` and `45,000` alike, whatever the language. */
function pasteThousands(event: ClipboardEvent<HTMLInputElement>) {
  const amount = pastedAmount(event.clipboardData.getData('text'))
  if (amount === undefined) return
  event.preventDefault()
  event.stopPropagation()
  document.execCommand('insertText', false, amount)
}
