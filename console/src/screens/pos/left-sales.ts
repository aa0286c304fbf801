import { randomId } from '@shopbell/client'
import type { HeldSales } from './held-sales.ts'
import { isEmpty, type Sale } from './sale.ts'

/**
 * A copy of each tab's open sales, so that another tab can go on with those of one that was closed or whose browser
 * ended. A tab is there as long as it has the lock of its name; a browser gives locks only over HTTPS and on its own
 * machine, and elsewhere a tab's sales end with it. The number in the name is the form of a sale: copies of another form,
 * which an older console may have left, are not read.
 */
const COPY = 'shopbell.open-sales 1 '
const LOCK = 'shopbell.tab '
const TAB = 'shopbell.tab'
/** In the tab: that it has a copy for a shop. */
const HAS_COPY = 'shopbell.has-copy '

/** A reloaded tab gets its lock as soon as the page before is gone. */
const LOCK_WITHIN_MS = 2_000
const LOOK_EACH_MS = 100

/** This tab, also after a reload. */
let tab = sessionStorage.getItem(TAB) ?? randomId()
void holdLock()

/** Holds the lock of this tab as long as it is there. The duplicate of a tab begins with that one's name, and takes another. */
async function holdLock(): Promise<void> {
  if (navigator.locks === undefined) return
  const hold = (lock: Lock | null) => (lock === null ? undefined : new Promise<void>(() => undefined))
  for (const end = Date.now() + LOCK_WITHIN_MS; Date.now() < end; ) {
    await navigator.locks.request(LOCK + tab, { ifAvailable: true }, hold)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EACH_MS))
  }
  clearMarks()
  tab = randomId()
  await navigator.locks.request(LOCK + tab, hold)
}

/** Stores the copy of this tab's open sales of a shop for the person, or removes it if nothing is open. */
export function copySales(userId: string, shopId: string, { sales }: HeldSales): void {
  if (navigator.locks === undefined) return
  const open = sales.filter((sale) => !isEmpty(sale))
  const place = `${COPY}${userId} ${shopId} ${tab}`
  try {
    // Whatever clears the storage of the tab.
    sessionStorage.setItem(TAB, tab)
    if (open.length === 0) {
      sessionStorage.removeItem(HAS_COPY + shopId)
      localStorage.removeItem(place)
    } else {
      localStorage.setItem(place, JSON.stringify(open))
      sessionStorage.setItem(HAS_COPY + shopId, place)
    }
  } catch {
    // Full: they are still in this tab.
  }
}

/**
 * Whether another tab has taken over this tab's sales of the shop: the browser had put this one away, to save memory for
 * example, and has loaded it again with its storage.
 */
export function areTaken(shopId: string): boolean {
  const place = sessionStorage.getItem(HAS_COPY + shopId)
  return place !== null && localStorage.getItem(place) === null
}

/** Takes the person's open sales in a shop from tabs that are gone. Another call does not find them again. */
export async function takeLeftSales(userId: string, shopId: string): Promise<Sale[]> {
  if (navigator.locks === undefined) return []
  const { held = [] } = await navigator.locks.query()
  const isThere = new Set(held.map(({ name }) => name))
  const prefix = `${COPY}${userId} ${shopId} `
  const left: Sale[] = []
  for (const place of Object.keys(localStorage).filter((one) => one.startsWith(prefix))) {
    const of = place.slice(prefix.length)
    if (of === tab || isThere.has(LOCK + of)) continue
    left.push(...(JSON.parse(localStorage.getItem(place) ?? '[]') as Sale[]))
    localStorage.removeItem(place)
  }
  return left
}

/** Removes the copies of this tab: who signs out of it has been asked about its sales. */
export function dropCopies(): void {
  clearMarks()
  for (const place of Object.keys(localStorage))
    if (place.startsWith(COPY) && place.endsWith(` ${tab}`)) localStorage.removeItem(place)
}

/** Otherwise {@link areTaken} would take a copy that is missing for one that another tab has taken over. */
function clearMarks(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(HAS_COPY)) sessionStorage.removeItem(name)
}
