import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import type { KeyboardEvent } from 'react'

/** As the service compares texts (server/src/lib/text/fold.ts): without accents, small. */
export function fold(text: string): string {
  return text.normalize('NFD').toLowerCase().replace(/\p{M}/gu, '').replaceAll('đ', 'd').trim()
}

/** The options of a picker that contain what was typed, with or without accents. */
export const byFoldedText: OptionsFilter = ({ options, search, limit }) => {
  const wanted = fold(search)
  return options.filter((option) => fold((option as ComboboxItem).label).includes(wanted)).slice(0, limit)
}

/** Enter chooses in a picker; it never sends the form around it. */
export function keepEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter') event.preventDefault()
}
