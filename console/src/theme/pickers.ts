import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { fold } from '../texts/fold.ts'

/** The options of a picker that contain what was typed, ignoring accents. */
export const byFoldedText: OptionsFilter = ({ options, search, limit }) => {
  const wanted = fold(search)
  return options.filter((option) => fold((option as ComboboxItem).label).includes(wanted)).slice(0, limit)
}

/** Enter chooses in a picker and never submits the form around it. */
export function keepEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter') event.preventDefault()
}

/**
 * For a picker whose options the service finds: Enter chooses the marked option. The picker itself would use the
 * option's place in the list, which a response may have changed since. If the option is no longer in the list, Enter
 * chooses nothing. If none was marked, the picker handles Enter.
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
