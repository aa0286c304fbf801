import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useLanguage } from '../../texts/language.tsx'

const DECIMAL_SIGN = { vi: ',', en: '.' }

/**
 * An input for a percentage with up to two decimals, which are written with the sign of the language. A number out of range is
 * for the form to refuse: it never becomes another one.
 */
export function PercentInput(props: NumberInputProps) {
  const { language } = useLanguage()
  return (
    <NumberInput
      decimalScale={2}
      decimalSeparator={DECIMAL_SIGN[language]}
      allowedDecimalSeparators={['.', ',']}
      suffix=" %"
      clampBehavior="none"
      {...props}
    />
  )
}
