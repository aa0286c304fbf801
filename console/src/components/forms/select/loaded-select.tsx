import { Select, type SelectProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** An Enter waits for the options it chooses from: the pause between checks, and how many checks are made. */
const LOOK_MS = 50
const LOOKS = 40

type Meanwhile = { hasFocus: boolean; typed: string | undefined; isEntered: boolean }

/**
 * Mantine's picker, which replaces the closed one. It takes over the focus that the closed one had, the
 * typed text, and an Enter that followed.
 */
export function LoadedSelect(props: SelectProps & Meanwhile) {
  const { hasFocus, typed, isEntered, ...rest } = props
  const field = useRef<HTMLInputElement>(null)
  const ref = useMergedRef(field, props.ref)
  const takeFocus = useEffectEvent(() => {
    if (hasFocus) field.current?.focus()
  })
  useLayoutEffect(() => takeFocus(), [])
  const takeText = useEffectEvent(() => {
    const { current } = field
    if (typed === undefined || current === null) return
    // If the caller controls the text, the field already has it, and the picker has just emptied the caller's.
    if (props.searchValue === undefined) typeInto(current, typed)
    else props.onSearchChange?.(typed)
    if (isEntered) void enterOnceListed(current, typed)
  })
  // After the picker's own first effects.
  useEffect(() => takeText(), [])
  return <Select {...rest} ref={ref} />
}

/** Types into the field as a person does, so that the picker searches for it. */
function typeInto(field: HTMLInputElement, text: string): void {
  // React does not notice a value that is set directly on the field.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

/** Presses Enter as soon as the list of what was typed is open; on a slow machine that takes a while. */
async function enterOnceListed(field: HTMLInputElement, typed: string): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    if (field.value !== typed || document.activeElement !== field) return
    const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
    if (list?.querySelector('[data-combobox-option]')) return press(field, 'Enter')
  }
}

function press(field: HTMLInputElement, key: string): void {
  field.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }))
}
