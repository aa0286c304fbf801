import { changeSale, isDecided, isEmpty, type LateScan, newSale, type Sale, type SaleChange } from './sale.ts'

/** The open sales at the counter in the order of their tabs, and the visible one. There is always one. */
export type HeldSales = { sales: Sale[]; current: string }

export type HeldChange =
  | { type: 'sale'; id: string; change: SaleChange }
  | { type: 'show'; id: string }
  /** Shows the next tab. */
  | { type: 'next' }
  /** Opens an empty sale for the next customer; the current sale is held. */
  | { type: 'another' }
  /** A scan made after the button of the sale `after` was pressed: it is the next customer's. */
  | ({ type: 'addToNext'; after: string } & LateScan)
  /** Adds the sales of a tab that is gone. */
  | { type: 'adopt'; sales: Sale[] }

export function noSales(): HeldSales {
  const sale = newSale(1)
  return { sales: [sale], current: sale.id }
}

export function currentSale({ sales, current }: HeldSales): Sale {
  return sales.find(({ id }) => id === current) ?? sales[0]!
}

/**
 * The sales after a change. A sale that is left while it is empty is closed, and so is one that was sold while another
 * was shown.
 */
export function changeHeldSales(held: HeldSales, change: HeldChange): HeldSales {
  switch (change.type) {
    case 'sale':
      return changed(held, change.id, change.change)
    case 'show':
      return shown(held, change.id)
    case 'next': {
      const at = held.sales.findIndex(({ id }) => id === held.current)
      return shown(held, held.sales[(at + 1) % held.sales.length]!.id)
    }
    case 'another': {
      const empty = held.sales.find(isEmpty)
      if (empty !== undefined) return shown(held, empty.id)
      const sale = newSale(freeNumber(held.sales))
      return { sales: [...held.sales, sale], current: sale.id }
    }
    case 'addToNext': {
      const { after, sellable, quantity } = change
      const isOpen = held.current !== after && !isDecided(currentSale(held))
      const next = isOpen ? held : changeHeldSales(held, { type: 'another' })
      return changed(next, next.current, { type: 'add', sellable, quantity })
    }
    case 'adopt':
      return change.sales.reduce(adopted, held)
  }
}

function changed(held: HeldSales, id: string, change: SaleChange): HeldSales {
  const { sales, current } = held
  const isOpen = sales.some((sale) => sale.id === id)
  // A scan whose result arrived after its sale was sold belongs to the next sale.
  if (!isOpen && change.type !== 'add') return held
  const target = isOpen ? id : current
  if (change.type !== 'new') {
    return { ...held, sales: sales.map((sale) => (sale.id === target ? changeSale(sale, change) : sale)) }
  }
  const others = sales.filter((sale) => sale.id !== target)
  const late = sales.find((sale) => sale.id === target)?.late ?? []
  if (target === current) {
    const next = newSale(freeNumber(others), late)
    return { sales: sales.map((sale) => (sale.id === target ? next : sale)), current: next.id }
  }
  // The sale in front is the next customer's. In a tab behind it, nobody would look for the goods.
  return late.reduce<HeldSales>((left, scan) => changed(left, current, { type: 'add', ...scan }), {
    sales: others,
    current,
  })
}

function shown({ sales, current }: HeldSales, id: string): HeldSales {
  if (!sales.some((sale) => sale.id === id)) return { sales, current }
  return { sales: sales.filter((sale) => sale.id === id || !isEmpty(sale)), current: id }
}

/** With a sale of another tab, under its number if that is free. It comes into view only where nothing was begun. */
function adopted(held: HeldSales, sale: Sale): HeldSales {
  const { sales, current } = held
  if (sales.some(({ id }) => id === sale.id)) return held
  const isIdle = isEmpty(currentSale(held))
  const others = isIdle ? sales.filter(({ id }) => id !== current) : sales
  const isTaken = others.some(({ number }) => number === sale.number)
  const number = isTaken ? freeNumber(others) : sale.number
  const added = { ...changeSale(sale, { type: 'reloaded' }), number }
  return { sales: [...others, added], current: isIdle ? added.id : current }
}

/** The lowest number that no tab has. */
function freeNumber(sales: Sale[]): number {
  const taken = new Set(sales.map(({ number }) => number))
  for (let number = 1; ; number++) if (!taken.has(number)) return number
}
