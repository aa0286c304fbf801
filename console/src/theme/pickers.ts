import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { fold } from '../texts/fold.ts'

/** The options of a picker that contain what was typed, with or without accents. */
export const byFoldedText: OptionsFilter = ({ options, search, limit }) => {
  const wanted = fold(search)
  return options.filter((option) => fold((option as ComboboxItem).label).includes(wanted)).slice(0, limit)
}

/** Enter chooses in a picker; it never sends the form around it. */
export function keepEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter') event.preventDefault()
}

/**
 * For a picker whose options the service finds: Enter chooses the option that is marked. The picker itself goes by the place
 * that it had in the list, which an answer may have changed since. Where the answer has it no more, Enter chooses nothing;
 * where none was marked, Enter is left to the picker.
 */
export const CHOOSE_MARKED = {
  onKeyDownCapture(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const field = event.target as Element
    const list = field.getAttribute('aria-controls')
    if (list === null) return
    const marked = document.getElementById(list)?.querySelector<HTMLElement>('[data-combobox-selected]')
    const wasMarked = field.getAttribute('aria-activedescendant')
    if (!marked && (wasMarked === null || document.getElementById(wasMarked) !== null)) return
    event.preventDefault()
    event.stopPropagation()
    marked?.click()
  },
}
