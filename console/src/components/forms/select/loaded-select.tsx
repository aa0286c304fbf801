import { Select, type SelectProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useRef } from 'react'

/** After this time the list shows the options that Enter chooses from. */
const LIST_IS_OPEN_MS = 100

type Meanwhile = { hasFocus: boolean; typed: string | undefined; isEntered: boolean }

/**
 * Mantine's picker, which replaces the closed one. It takes over whether that had the focus, what was typed, and
 * whether Enter followed.
 */
export function LoadedSelect(props: SelectProps & Meanwhile) {
  const { hasFocus, typed, isEntered, ...rest } = props
  const field = useRef<HTMLInputElement>(null)
  const ref = useMergedRef(field, props.ref)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it takes the other's place
  useLayoutEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the picker's own beginning
  useEffect(() => {
    const { current } = field
    if (typed === undefined || current === null) return
    // If the caller controls the text, the field already has it, and the picker has just emptied the caller's.
    if (props.searchValue === undefined) typeInto(current, typed)
    else props.onSearchChange?.(typed)
    if (isEntered) setTimeout(() => press(current, 'Enter'), LIST_IS_OPEN_MS)
  }, [])
  return <Select {...rest} ref={ref} />
}

/** Types into the field as a person does, so that the picker searches for it. */
function typeInto(field: HTMLInputElement, text: string): void {
  // React does not notice a value that is set directly on the field.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

function press(field: HTMLInputElement, key: string): void {
  field.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }))
}
