import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../format.ts'
import { useLanguage } from '../../texts/language.tsx'
import { wrongNumberTexts } from './wrong-number.ts'

const DECIMAL_SIGN = { vi: ',', en: '.' }

const MOST = 1_000_000_000

type Typed = number | string | null

/**
 * An input for a whole number from `min`, by default 0, to `max`; null while it is empty. A decimal sign or a minus is not dropped,
 * which would make another number: what is no such number stays in the field, which says so, and a form with it is not sent. A
 * parent that has a number at all times ignores null: an empty field then shows its number again when it is left.
 */
export function WholeNumberInput(
  props: Omit<NumberInputProps, 'value' | 'onChange' | 'min' | 'max'> & {
    value?: Typed
    onChange?: (whole: number | null) => void
    min?: number
    max?: number | undefined
  },
) {
  const { value = null, onChange, onBlur, min = 0, max = MOST, error, ref, ...rest } = props
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
  const shown = typed ?? value ?? ''
  const wrong = wrongOf(shown, min, max)
  const { notWhole, outOfRange } = wrongNumberTexts[language]
  const message =
    wrong === 'outOfRange'
      ? outOfRange(formatNumber(min, language), formatNumber(max, language))
      : wrong && notWhole
  useEffect(() => field.current?.setCustomValidity(message), [message])
  return (
    <NumberInput
      inputMode="numeric"
      {...rest}
      ref={useMergedRef(ref, field)}
      // Leaving the field would make 1 of 1,000.
      trimLeadingZeroesOnBlur={false}
      decimalSeparator={DECIMAL_SIGN[language]}
      clampBehavior="none"
      min={min}
      max={max}
      error={error || message}
      value={shown}
      onChange={(next) => {
        const isRight = next !== '' && wrongOf(next, min, max) === ''
        setTyped(isRight ? null : next)
        onChange?.(isRight ? Number(next) : null)
      }}
      onBlur={(event) => {
        if (typed === '') setTyped(null)
        onBlur?.(event)
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
