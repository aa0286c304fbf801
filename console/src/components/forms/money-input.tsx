import { NumberInput, type NumberInputProps } from '@mantine/core'

/** An input for whole đồng; null while it is empty. */
export function MoneyInput(
  props: Omit<NumberInputProps, 'value' | 'onChange'> & {
    value?: number | null
    onChange?: (vnd: number | null) => void
  },
) {
  const { value, onChange, ...rest } = props
  return (
    <NumberInput
      suffix=" ₫"
      inputMode="numeric"
      hideControls
      {...rest}
      thousandSeparator="."
      decimalSeparator=","
      allowDecimal={false}
      allowNegative={false}
      min={0}
      max={9_000_000_000_000}
      value={value ?? ''}
      onChange={(typed) => onChange?.(typeof typed === 'number' ? typed : null)}
    />
  )
}
