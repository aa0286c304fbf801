import type { NumberInputProps, TextInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useLanguage } from '../../texts/language.tsx'
import { NumberOrText, useNumberText } from './number-or-text.tsx'

const DECIMAL_SIGN = { vi: ',', en: '.' }
const NO_PERCENTAGE = {
  vi: 'Hãy nhập số phần trăm, như 8 hoặc 7,5.',
  en: 'Enter a percentage, such as 8 or 7.5.',
}

/**
 * An input for a percentage with up to two decimals, which are written with the sign of the language. A number out of range is
 * for the form to refuse: it never becomes another one. What is no percentage stays in the field, which says so, and a form with it
 * is not sent.
 */
export function PercentInput(
  props: Omit<TextInputProps, 'value' | 'onChange'> &
    Pick<NumberInputProps, 'value' | 'onChange' | 'min' | 'max' | 'suffix'>,
) {
  const { value = '', onChange, min, max, suffix = ' %', error, ref, ...rest } = props
  const { language } = useLanguage()
  const field = useRef<HTMLInputElement>(null)
  const inText = useNumberText(
    value === '' ? null : value,
    (content) => percentageIn(content) ?? null,
    (percentage) => onChange?.(percentage ?? ''),
  )
  const { text } = inText
  const isWrong = text !== null && text.trim() !== '' && percentageIn(text) === undefined
  const wrong = isWrong ? NO_PERCENTAGE[language] : ''
  useEffect(() => field.current?.setCustomValidity(wrong), [wrong])
  return (
    <NumberOrText
      {...inText}
      isPlain={/^[\d.,\s%-]*$/}
      {...rest}
      ref={useMergedRef(ref, field)}
      error={wrong || error}
      number={{
        decimalScale: 2,
        decimalSeparator: DECIMAL_SIGN[language],
        allowedDecimalSeparators: ['.', ','],
        suffix,
        clampBehavior: 'none',
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
        value,
        ...(onChange === undefined ? {} : { onChange }),
      }}
    />
  )
}

/** The percentage that was typed: `8`, `7,5 %`, `-10%`; undefined for another text, and for more than two decimals. */
function percentageIn(text: string): number | undefined {
  const [, number] = /^\s*(-?\d{1,6}(?:[.,]\d{1,2})?)\s*%?\s*$/.exec(text.normalize('NFKC')) ?? []
  return number === undefined ? undefined : Number(number.replace(',', '.'))
}
