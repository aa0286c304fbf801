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
