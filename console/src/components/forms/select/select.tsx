import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ClosedSelect, type PickerProps } from './closed-select.tsx'
import type { LoadedSelect } from './loaded-select.tsx'

let Loaded: typeof LoadedSelect | undefined
let loading: Promise<void> | undefined

/**
 * Loads the list part of pickers once.
 * @throws if it cannot be fetched; the next call tries again.
 */
export function fetchPickers(): Promise<void> {
  loading ??= import('./loaded-select.tsx').then(
    (part) => {
      Loaded = part.LoadedSelect
    },
    (error) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/**
 * Mantine's picker. Its list would be a quarter of what a screen loads, so a field that looks the same takes its place
 * until somebody uses it. Then the list is fetched, and what was clicked or typed meanwhile is applied.
 */
export function Select(props: PickerProps) {
  const [isOpenable, setIsOpenable] = useState(Loaded !== undefined)
  const [typed, setTyped] = useState<string>()
  const meanwhile = useRef({ hasFocus: false, isPressed: false, isEntered: false })
  if (isOpenable && Loaded !== undefined) {
    return (
      <Loaded
        {...props}
        hasFocus={meanwhile.current.hasFocus}
        typed={typed}
        isEntered={meanwhile.current.isEntered}
        defaultDropdownOpened={meanwhile.current.isPressed}
      />
    )
  }

  function begin() {
    if (Loaded !== undefined) setIsOpenable(true)
    else
      fetchPickers()
        .then(() => setIsOpenable(true))
        .catch(() => undefined)
  }
  return (
    <ClosedSelect
      {...props}
      typed={typed}
      onType={(text) => {
        meanwhile.current.isEntered = false
        setTyped(text)
      }}
      onEnter={() => {
        meanwhile.current.isEntered = true
      }}
      // Synchronously, so that a press that follows goes to the picker itself.
      onPointerEnter={() => flushSync(begin)}
      onFocus={(event) => {
        meanwhile.current.hasFocus = true
        begin()
        props.onFocus?.(event)
      }}
      onBlur={(event) => {
        meanwhile.current.hasFocus = false
        props.onBlur?.(event)
      }}
      // If the list appears between press and release, the browser fires no click.
      onPointerDown={() => {
        meanwhile.current.isPressed = true
        begin()
      }}
      onClick={() => {
        meanwhile.current.isPressed = true
        begin()
      }}
    />
  )
}
