import { randomId } from '@shopbell/client'
import { api, SOLD_AT, SOLD_BY } from '../../../api/client.ts'
import { isServiceAway } from '../../../api/connection.ts'
import { isLost, isRefusal, isServiceError } from '../../../api/outcome.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { serviceNow } from '../../../api/service-clock.ts'
import { completeOrder, payRest } from '../payment/place-order.ts'
import { keptStore, type WaitingSale } from './kept-store.ts'

/** The service stores the outcome of a key for a day (G-10). After that, a sale that it may have accepted is not sent again. */
const KEY_IS_GOOD_MS = 23 * 3_600_000
/** Nobody waits for a waiting sale, so a slow service may take its time; a sale at which it hangs must not hold up the others. */
const PATIENCE_MS = 20_000

/** Whether a sale that was first sent then can no longer be found by its key. */
export function isTooOld(triedAtMs: number): boolean {
  return serviceNow() - triedAtMs > KEY_IS_GOOD_MS
}

const listeners = new Set<() => void>()
/** A tab's message to the others that the waiting sales have changed. */
const otherTabs = new BroadcastChannel('shopbell-waiting-sales')
otherTabs.onmessage = notifyListeners

/** Calls the listener whenever the waiting sales change, in this tab or another. */
export function onWaitingChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function changed(): void {
  notifyListeners()
  otherTabs.postMessage('changed')
}

export async function addWaiting(sale: Omit<WaitingSale, 'id'>): Promise<void> {
  // Written to the disk at once, because the receipt is printed as sold, whatever happens to the machine next.
  const writing = (await keptStore()).transaction('sales', 'readwrite', { durability: 'strict' })
  await Promise.all([writing.store.add(sale as WaitingSale), writing.done])
  changed()
}

/** A shop's waiting sales, oldest first. */
export async function listWaiting(shopId: string): Promise<WaitingSale[]> {
  return (await keptStore()).getAllFromIndex('sales', 'shop', shopId)
}

/** The number of waiting sales of all shops in this browser. */
export async function countWaiting(): Promise<number> {
  return (await keptStore()).count('sales')
}

/** Sends a refused sale again, as a new request. Does nothing if another tab has sent it again or discarded it. */
export async function sendAgain(sale: WaitingSale): Promise<void> {
  await replace(sale, { ...sale, key: randomId(), triedAtMs: undefined, refusal: undefined })
}

/** Discards a refused sale. Does nothing if another tab has sent it again. */
export async function dropWaiting(sale: WaitingSale): Promise<void> {
  await replace(sale, undefined)
}

/**
 * Sends a shop's waiting sales one after the other in their order, each under its own key. If several tabs are open,
 * one does it. A sale that the service refuses is left to a person, and one at which the service fails or hangs is sent
 * again later. Sending stops when the service is unavailable or overloaded.
 */
export async function sendWaiting(shopId: string, tooOld: string): Promise<void> {
  const sendAll = async () => {
    const failed = new Set<number>()
    const sending: Sending = { tooOld, datedMs: 0 }
    for (;;) {
      const next = (await listWaiting(shopId)).find(
        ({ id, refusal }) => refusal === undefined && !failed.has(id),
      )
      if (next === undefined) return
      const outcome = await sendOne(next, sending)
      if (outcome === 'away') return
      if (outcome === 'failed') failed.add(next.id)
    }
  }
  // Locks need a secure origin. Without them the keys make two senders harmless.
  if (navigator.locks === undefined) return sendAll()
  await navigator.locks.request(`shopbell-sales-${shopId}`, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await sendAll()
  })
}

/** `tooOld` is the text of a sale that can no longer be sent; `datedMs` is how the service dated the sale before, 0 for the first. */
type Sending = { tooOld: string; datedMs: number }

/** After `failed` and `away` the sale waits. After `failed` the next sale may be sent. */
async function sendOne(sale: WaitingSale, sending: Sending): Promise<'done' | 'failed' | 'away'> {
  const triedAtMs = sale.triedAtMs ?? serviceNow()
  if (isTooOld(triedAtMs)) {
    await replace(sale, { ...sale, refusal: sending.tooOld })
    return 'done'
  }
  if (sale.triedAtMs === undefined && !(await replace(sale, { ...sale, triedAtMs }))) return 'done'
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const sold = soldHeaders(sale, sending.datedMs)
  try {
    const { data: order } = await dataOf(
      api.POST('/api/external/order/pos/create', {
        body: sale.body,
        headers: { 'idempotency-key': sale.key, 'x-shop-id': sale.shopId, ...sold },
        signal,
      }),
    )
    sending.datedMs = Date.parse(order.createdAt)
    const placed = { shopId: sale.shopId, id: order._id }
    if (sale.rest !== undefined)
      await payRest(placed, sale.rest, sale.key, signal, sold).catch(leaveIfRefused)
    if (sale.isHandedOver) await completeOrder(placed, signal).catch(leaveIfRefused)
    await replace(sale, undefined)
    void queryClient.invalidateQueries({ queryKey: ['orders'] })
    void queryClient.invalidateQueries({ queryKey: ['products'] })
    return 'done'
  } catch (error) {
    // Requests that get no response make the console check the connection, so by now it is known.
    const isStuck = signal.aborted && isLost(error) && !isServiceAway()
    if (isServiceError(error) || isStuck) return 'failed'
    if (!isRefusal(error)) return 'away'
    // The seller has left the shop: it is sent in the name of whoever sends it, and the order's note names the seller.
    if (error instanceof Problem && error.details.some(({ key }) => key === SOLD_BY)) {
      const unnamed = { ...sale, triedAtMs, sellerId: undefined }
      return (await replace(sale, unnamed)) ? sendOne(unnamed, sending) : 'done'
    }
    await replace(sale, { ...sale, triedAtMs, refusal: (error as Error).message })
    return 'done'
  }
}

/**
 * The headers with the time of the sale, which must not count in a shift that was opened later, and its seller. The service counts an
 * age from when it reads the request, so a sale that it read late has a date after its own, and the next one must follow that.
 */
function soldHeaders({ receipt, sellerId }: WaitingSale, datedMs: number): Record<string, string> {
  const soldAtMs = Date.parse(receipt.createdAt)
  const isBehind = soldAtMs <= datedMs && datedMs - soldAtMs < PATIENCE_MS
  const soldAt = { [SOLD_AT]: String(isBehind ? datedMs + 1 : soldAtMs) }
  return sellerId === undefined ? soldAt : { ...soldAt, [SOLD_BY]: sellerId }
}

/**
 * The order exists; a person completes it, or takes what is still owed. Without a response the sale waits, and its key
 * finds the order again.
 */
function leaveIfRefused(error: unknown): void {
  if (!isRefusal(error)) throw error
}

/**
 * Stores `next` in place of a sale, or deletes the sale if `next` is undefined, unless the sale was deleted, refused or
 * sent again since it was read, perhaps by another tab.
 * @returns whether it was replaced
 */
async function replace(sale: WaitingSale, next: WaitingSale | undefined): Promise<boolean> {
  const writing = (await keptStore()).transaction('sales', 'readwrite', { durability: 'strict' })
  const { store } = writing
  const kept = await store.get(sale.id)
  const isSame = kept?.key === sale.key && kept.refusal === sale.refusal
  if (isSame) await (next === undefined ? store.delete(sale.id) : store.put(next))
  await writing.done
  if (isSame) changed()
  else notifyListeners()
  return isSame
}
