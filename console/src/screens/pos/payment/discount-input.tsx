import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'
import { type Discount, readDiscount, writeDiscount } from './discount.ts'

/** A field for a discount: đồng, or a percentage with `%`. Enter calls `onEnter`, unless the input is neither. */
export function DiscountInput(
  props: Omit<TextInputProps, 'value' | 'onChange' | 'onKeyDown'> & {
    value: Discount
    onChange: (discount: Discount) => void
    onEnter: () => void
  },
) {
  const texts = useTexts(posTexts)
  const { value, onChange, onEnter, ...rest } = props
  /** The current input, or earlier input that is not a discount. */
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && readDiscount(typed) === undefined
  return (
    <TextInput
      autoComplete="off"
      placeholder={texts.discountHint}
      error={isWrong && texts.notADiscount}
      {...rest}
      value={typed ?? writeDiscount(value)}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        onChange(readDiscount(text) ?? { vnd: 0 })
      }}
      onBlur={() => isWrong || setTyped(undefined)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // Only Enter in the cash field or on the button completes the sale.
        event.preventDefault()
        if (!isWrong) onEnter()
      }}
    />
  )
}
