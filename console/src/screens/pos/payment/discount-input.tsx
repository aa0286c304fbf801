import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'
import { type Discount, readDiscount, writeDiscount } from './discount.ts'

/** A field for a discount: đồng, or a share with `%`. Enter in it is `onEnter`, unless what is typed is neither. */
export function DiscountInput(
  props: Omit<TextInputProps, 'value' | 'onChange' | 'onKeyDown'> & {
    value: Discount
    onChange: (discount: Discount) => void
    onEnter: () => void
  },
) {
  const texts = useTexts(posTexts)
  const { value, onChange, onEnter, ...rest } = props
  /** What is being typed, or was typed and is no discount. */
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
        // Only Enter in the cash field or on the button sells.
        event.preventDefault()
        if (!isWrong) onEnter()
      }}
    />
  )
}
