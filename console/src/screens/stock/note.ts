import type { Term } from '../../help/term-texts.ts'
import type { Sellable } from '../pos/sale.ts'

/** The kinds of notes that are written by scanning. */
export type Kind = 'receive' | 'count' | 'transfer'

export const ADDRESSES: Record<Kind, string> = {
  receive: '/goods-received',
  count: '/stock-counts',
  transfer: '/transfers',
}

/** The term that explains each kind. */
export const EXPLAINED: Record<Kind, { term: Term }> = {
  receive: { term: 'goodsReceived' },
  count: { term: 'stockCount' },
  transfer: { term: 'transfer' },
}

/** The service accepts 1,000, but with more lines than this typing becomes slow. */
export const MOST_LINES = 500

/** Null means that nothing is entered. */
export type Line = {
  skuId: string
  name: string
  code: string
  quantity: number | null
  unitCost: number | null
}

/** A note that is being written, in the form that is kept over a reload. */
export type Draft = {
  warehouseId: string
  toWarehouseId: string
  supplier: string
  note: string
  /** The most recently added line first. */
  lines: Line[]
}

export function newDraft(warehouseId: string, toWarehouseId: string): Draft {
  return { warehouseId, toWarehouseId, supplier: '', note: '', lines: [] }
}

export type DraftChange =
  | { type: 'set'; change: Partial<Pick<Draft, 'warehouseId' | 'toWarehouseId' | 'supplier' | 'note'>> }
  | { type: 'scan'; sellable: Pick<Sellable, 'skuId' | 'name' | 'code'>; quantity: number }
  | { type: 'line'; skuId: string; change: Partial<Pick<Line, 'quantity' | 'unitCost'>> }
  | { type: 'remove'; skuId: string }

export function changedDraft(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case 'set':
      return { ...draft, ...change.change }
    case 'scan':
      return { ...draft, lines: withScan(draft.lines, change.sellable, change.quantity) }
    case 'line':
      return {
        ...draft,
        lines: draft.lines.map((line) =>
          line.skuId === change.skuId ? { ...line, ...change.change } : line,
        ),
      }
    case 'remove':
      return { ...draft, lines: draft.lines.filter(({ skuId }) => skuId !== change.skuId) }
  }
}

function withScan(
  lines: Line[],
  sellable: Pick<Sellable, 'skuId' | 'name' | 'code'>,
  quantity: number,
): Line[] {
  const { skuId, name, code } = sellable
  if (lines.some((line) => line.skuId === skuId)) {
    return lines.map((line) =>
      line.skuId === skuId ? { ...line, quantity: (line.quantity ?? 0) + quantity } : line,
    )
  }
  if (lines.length >= MOST_LINES) return lines
  return [{ skuId, name, code, quantity, unitCost: null }, ...lines]
}

/** Whether a line can be booked: it has a quantity, which may be 0 only in a count. */
export function isWhole(kind: Kind, { quantity }: Line): boolean {
  return quantity !== null && (kind === 'count' || quantity > 0)
}

/** The request body that is booked. */
export type NoteBody = {
  type: Kind
  warehouseId: string
  toWarehouseId?: string
  supplier?: string
  note: string
  items: { skuId: string; quantity: number; unitCost?: number; expected?: number }[]
}

/** The request body, with the lines in the order of the form, in which the booked note shows them. `stock` is the stock of each SKU that a count was shown. */
export function bodyOf(kind: Kind, draft: Draft, stock: ReadonlyMap<string, number> = new Map()): NoteBody {
  const { warehouseId, toWarehouseId, supplier, note } = draft
  return {
    type: kind,
    warehouseId,
    ...(kind === 'transfer' ? { toWarehouseId } : {}),
    ...(kind === 'receive' ? { supplier } : {}),
    note,
    items: draft.lines
      .filter((line) => isWhole(kind, line))
      .map(({ skuId, quantity, unitCost }) => ({
        skuId,
        quantity: quantity!,
        ...(kind === 'receive' && unitCost !== null ? { unitCost } : {}),
        ...(kind === 'count' && stock.has(skuId) ? { expected: stock.get(skuId)! } : {}),
      })),
  }
}

/** The total cost of the lines, in đồng. A line without a cost counts as 0. */
export function costOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity, unitCost }) => sum + (quantity ?? 0) * (unitCost ?? 0), 0)
}

export function piecesOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0)
}
