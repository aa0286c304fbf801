import { type ComponentType, lazy, Suspense } from 'react'
import type { SheetProps } from './sheet-props.ts'

const HEAD_PX = 90
const ROW_PX = 53

const Loaded = lazy(async () => ({
  default: (await import('./loaded-sheet.tsx')).LoadedSheet as ComponentType<SheetProps<unknown>>,
}))

/** A table of cells that is edited like a spreadsheet. It is fetched for the products that have variants; its room is kept meanwhile. */
export function Sheet<R>(props: SheetProps<R>) {
  const room = <div style={{ height: HEAD_PX + props.rows.length * ROW_PX }} />
  return (
    <Suspense fallback={room}>
      <Loaded {...(props as SheetProps<unknown>)} />
    </Suspense>
  )
}
