import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useLanguage } from '../../texts/language.tsx'

const DECIMAL_SIGN = { vi: ',', en: '.' }

/** An input for a percentage with up to two decimals, which are written with the sign of the language. */
export function PercentInput(props: NumberInputProps) {
  const { language } = useLanguage()
  return (
    <NumberInput
      decimalScale={2}
      decimalSeparator={DECIMAL_SIGN[language]}
      allowedDecimalSeparators={['.', ',']}
      suffix=" %"
      {...props}
    />
  )
}
