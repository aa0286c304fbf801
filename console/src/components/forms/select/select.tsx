import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ClosedSelect, type PickerProps } from './closed-select.tsx'
import type { LoadedSelect } from './loaded-select.tsx'

let Loaded: typeof LoadedSelect | undefined
let loading: Promise<void> | undefined

/** Fetches what a picker opens, once. @throws where it cannot be fetched; the next call tries again. */
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
 * Mantine's picker. Its list is a quarter of what a screen would load, so until somebody goes to it there is a field that looks
 * the same; then the list is fetched, and what was clicked or typed meanwhile is done.
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
      // At once, so that a press that follows is the picker's own.
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
      // Where the list comes between the press and its release, nothing is clicked.
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
