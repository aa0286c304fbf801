import type { TextInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../format.ts'
import { useLanguage } from '../../texts/language.tsx'
import { pastedAmount } from './amount.ts'
import { NumberOrText, useNumberText } from './number-or-text.tsx'
import { wrongNumberTexts } from './wrong-number.ts'

const MOST = 1_000_000_000

type Typed = number | string | null

/**
 * An input for a whole number from `min`, by default 0, to `max`; null while it is empty. Letters, a decimal sign or a minus are not
 * dropped, which would make another number: what is no such number stays in the field, which says so, and a form with it is not sent. A
 * parent that has a number at all times ignores null: an empty field then shows its number again when it is left.
 */
export function WholeNumberInput(
  props: Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max'> & {
    value?: Typed
    onChange?: (whole: number | null) => void
    min?: number
    max?: number | undefined
    hideControls?: boolean
  },
) {
  const {
    value = null,
    onChange,
    onBlur,
    min = 0,
    max = MOST,
    hideControls = false,
    error,
    ref,
    ...rest
  } = props
  const { language } = useLanguage()
  const field = useRef<HTMLInputElement>(null)
  /** What was typed and is no whole number; null while the field shows its value. */
  const [typed, setTyped] = useState<Typed>(null)
  const [before, setBefore] = useState(value)
  if (before !== value) {
    setBefore(value)
    // The number was changed from outside, such as by a scan.
    if (value !== null && value !== '') setTyped(null)
  }
  const inText = useNumberText(
    value,
    (content) => {
      const whole = pastedAmount(content)
      return whole !== undefined && wrongOf(whole, min, max) === '' ? Number(whole) : null
    },
    (whole) => {
      setTyped(null)
      onChange?.(whole)
    },
  )
  const shown = pastedAmount(inText.text ?? '') ?? inText.text ?? typed ?? value ?? ''
  const wrong = wrongOf(shown, min, max)
  const { notWhole, outOfRange } = wrongNumberTexts[language]
  const message =
    wrong === 'outOfRange'
      ? outOfRange(formatNumber(min, language), formatNumber(max, language))
      : wrong && notWhole
  useEffect(() => field.current?.setCustomValidity(message), [message])
  return (
    <NumberOrText
      {...inText}
      isPlain={/^[\d-]*$/}
      inputMode="numeric"
      {...rest}
      ref={useMergedRef(ref, field)}
      error={error || message}
      onBlur={(event) => {
        if (typed === '') setTyped(null)
        onBlur?.(event)
      }}
      number={{
        // Leaving the field would make 1 of 1,000.
        trimLeadingZeroesOnBlur: false,
        clampBehavior: 'none',
        hideControls,
        min,
        max,
        value: shown,
        onChange: (next) => {
          const isRight = next !== '' && wrongOf(next, min, max) === ''
          setTyped(isRight ? null : next)
          onChange?.(isRight ? Number(next) : null)
        },
      }}
    />
  )
}

/** What is wrong with the content of a field. Leading zeros are not, since they change nothing. */
function wrongOf(shown: number | string, min: number, max: number): '' | 'notWhole' | 'outOfRange' {
  if (shown === '') return ''
  if (!/^-?\d+$|^-$/.test(String(shown))) return 'notWhole'
  const whole = Number(shown)
  return whole >= min && whole <= max ? '' : 'outOfRange'
}
