import { type ComponentType, lazy, Suspense } from 'react'
import type { SheetProps } from './sheet-props.ts'

const HEAD_PX = 90
const ROW_PX = 53

const Loaded = lazy(async () => ({
  default: (await import('./loaded-sheet.tsx')).LoadedSheet as ComponentType<SheetProps<unknown>>,
}))

/** A table of cells that is edited like a spreadsheet. It is fetched for the products that have variants; its room is kept meanwhile. */
export function Sheet<R>(props: SheetProps<R>) {
  return (
    <Suspense fallback={roomOfSheet(props.rows.length)}>
      <Loaded {...(props as SheetProps<unknown>)} />
    </Suspense>
  )
}

/** What keeps the room of a sheet until it is there. */
export function roomOfSheet(rows: number) {
  return <div style={{ height: HEAD_PX + rows * ROW_PX }} />
}
