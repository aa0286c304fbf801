import { type HeldSales, noSales } from './held-sales.ts'
import { changeSale, isDecided } from './sale.ts'

const PLACE = 'shopbell.sales.'

/** The sales of each shop in this page, and the text that is stored, null if nothing is. */
const known = new Map<string, { text: string | null; held: HeldSales }>()
const listeners = new Set<() => void>()

/** Calls the listener whenever open sales change. */
export function onOpenSalesChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The open sales of a shop in this tab: the same object until they change. */
export function readOpenSales(shopId: string): HeldSales {
  const text = sessionStorage.getItem(PLACE + shopId)
  const last = known.get(shopId)
  if (last !== undefined && last.text === text) return last.held
  const held = text === null ? noSales() : reloaded(JSON.parse(text) as HeldSales)
  known.set(shopId, { text, held })
  return held
}

/**
 * Stores the open sales of a shop before it returns, so that a request sent afterwards is known after a crash. If the
 * storage is full, the page goes on with them, and a reload finds those stored last.
 */
export function storeOpenSales(shopId: string, held: HeldSales): void {
  if (held === known.get(shopId)?.held) return
  const text = JSON.stringify(held)
  try {
    sessionStorage.setItem(PLACE + shopId, text)
  } catch {
    // Full.
  }
  known.set(shopId, { text: sessionStorage.getItem(PLACE + shopId), held })
  for (const listener of listeners) listener()
}

/** The number of sales with goods that are open in this tab, of all shops. The `unsure` ones may be recorded already. */
export function countOpenSales(): { unsure: number; unsold: number } {
  const places = Object.keys(sessionStorage).filter((place) => place.startsWith(PLACE))
  const filled = places
    .flatMap((place) => readOpenSales(place.slice(PLACE.length)).sales)
    .filter(({ lines }) => lines.length > 0)
  const unsure = filled.filter(isDecided).length
  return { unsure, unsold: filled.length - unsure }
}

function reloaded(held: HeldSales): HeldSales {
  return { ...held, sales: held.sales.map((sale) => changeSale(sale, { type: 'reloaded' })) }
}
