import type { ReactNode } from 'react'
import type { Column } from '../lists/data-table.tsx'
import type { CellChange } from './cells.ts'

/** An editable column. `label` names each cell for people who cannot see its position; a number is whole, from 0 to `most`. */
export type SheetColumn<R> = {
  name: string
  title: string
  most?: number
  label: (row: R) => string
  value: (row: R) => string
}

export type SheetProps<R> = {
  rows: R[]
  keyOf: (row: R) => string
  before: Column<R>[]
  columns: SheetColumn<R>[]
  disabled: boolean
  texts: { hint: string; fillDown: string; fillDownHint: string }
  errorAt: (at: number, column: string) => string | undefined
  onChange: (changes: CellChange[]) => void
  /** Further actions beside "fill down". */
  actions?: ReactNode
}
