import type { TextInputProps } from '@mantine/core'
import { useDebouncedValue, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { formatVnd } from '../../format.ts'
import { useLanguage } from '../../texts/language.tsx'
import { amountIn, MOST_VND } from './amount.ts'
import { NumberOrText, useNumberText } from './number-or-text.tsx'

/** An amount as the rest of the screen writes it. */
const FORMS = {
  vi: { thousandSeparator: '.', decimalSeparator: ',', suffix: ' ₫' },
  en: { thousandSeparator: ',', decimalSeparator: '.', prefix: '₫' },
}

const NO_AMOUNT = {
  vi: (least: string, most: string) => `Số tiền phải từ ${least} đến ${most}.`,
  en: (least: string, most: string) => `The amount must be from ${least} to ${most}.`,
}
const NO_NUMBER = {
  vi: 'Hãy nhập một số tiền, như 20.000, 20k hoặc 1tr2.',
  en: 'Enter an amount, such as 20,000 or 20k.',
}
const NOT_WHOLE = {
  vi: 'Hãy nhập số tiền tròn đồng, không có phần lẻ.',
  en: 'Enter whole đồng, without decimals.',
}

/** `45.000` may become of it, so it is refused only after a pause. */
const IS_BEGUN_GROUP = /^-?\d+\.\d{0,2}$/
const PAUSE_MS = 600

/**
 * An input for whole đồng, also as people say them (`20k`, `1tr2`); null while it is empty. `allowNegative` is for amounts that may
 * be taken away; elsewhere a minus is not dropped, nor are letters and decimals, which would make another amount. What is no amount
 * stays in the field, which says so, and a form with it is not sent.
 */
export function MoneyInput(
  props: Omit<TextInputProps, 'value' | 'onChange'> & {
    value?: number | null
    onChange?: (vnd: number | null) => void
    allowNegative?: boolean
    step?: number
  },
) {
  const { value = null, onChange, allowNegative = false, step = 1, error, ref, ...rest } = props
  const { language } = useLanguage()
  const field = useRef<HTMLInputElement>(null)
  /** What was typed and is no amount. */
  const [typed, setTyped] = useState<number | string>('')
  const least = allowNegative ? -MOST_VND : 0
  const accepted = (amount: number | undefined) =>
    amount !== undefined && amount >= least && amount <= MOST_VND ? amount : null
  const amountOf = (one: number | string) => accepted(wholeOf(one))
  const inText = useNumberText(
    value,
    (content) => accepted(amountIn(content)),
    (amount) => {
      setTyped('')
      onChange?.(amount)
    },
  )
  const shown = inText.text ?? value ?? typed
  const [rested] = useDebouncedValue(shown, PAUSE_MS)
  const isBegun = String(shown).trim() === '' || (allowNegative && shown === '-')
  const amount = inText.text === null ? amountOf(shown) : accepted(amountIn(inText.text))
  const wrong = isBegun || amount !== null ? '' : wrongOf()
  useEffect(() => field.current?.setCustomValidity(wrong), [wrong])
  const isPaused = rested === shown || (inText.text === null && !IS_BEGUN_GROUP.test(String(shown)))
  return (
    <NumberOrText
      {...inText}
      isPlain={/^[\d.,\s-]*$/}
      inputMode="numeric"
      {...rest}
      ref={useMergedRef(ref, field)}
      error={(isPaused ? wrong : '') || error}
      number={{
        ...FORMS[language],
        hideControls: true,
        step,
        // Leaving the field would make 1 of 1,00.
        trimLeadingZeroesOnBlur: false,
        clampBehavior: 'none',
        min: least,
        max: MOST_VND,
        value: shown,
        onChange: (next) => {
          const amount = amountOf(next)
          setTyped(amount === null ? next : '')
          onChange?.(amount)
        },
      }}
    />
  )

  function wrongOf(): string {
    if (inText.text !== null && amountIn(inText.text) === undefined) return NO_NUMBER[language]
    if (inText.text === null && String(shown).includes('.')) return NOT_WHOLE[language]
    return NO_AMOUNT[language](formatVnd(least, language), formatVnd(MOST_VND, language))
  }
}

/** The whole number that was typed. Three digits after a separator are thousands, which the reader sees as soon as they are grouped. */
function wholeOf(typed: number | string): number | undefined {
  const digits = String(typed).replace(/\.(?=\d{3}$)/, '')
  return /^-?\d+$/.test(digits) ? Number(digits) : undefined
}
