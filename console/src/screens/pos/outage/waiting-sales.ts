import { randomId } from '@shopbell/client'
import { api, SOLD_AT } from '../../../api/client.ts'
import { isOnlyThis, isRefusal } from '../../../api/outcome.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { completeOrder, payRest } from '../payment/place-order.ts'
import { keptStore, type WaitingSale } from './kept-store.ts'

/** The service keeps what became of a key for a day (G-10): a sale that it may have is not sent again after that. */
const KEY_IS_GOOD_MS = 23 * 3_600_000

/** Whether a sale that was first sent then can no longer be found by its key. */
export function isTooOld(triedAtMs: number): boolean {
  return Date.now() - triedAtMs > KEY_IS_GOOD_MS
}

const listeners = new Set<() => void>()

/** Calls back whenever the sales that wait change. */
export function onWaitingChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function changed(): void {
  for (const listener of listeners) listener()
}

export async function addWaiting(sale: Omit<WaitingSale, 'id'>): Promise<void> {
  // It is printed as sold: on the disk, whatever happens to the machine next.
  const writing = (await keptStore()).transaction('sales', 'readwrite', { durability: 'strict' })
  await writing.store.add(sale as WaitingSale)
  await writing.done
  changed()
}

/** A shop's sales that wait, oldest first. */
export async function listWaiting(shopId: string): Promise<WaitingSale[]> {
  return (await keptStore()).getAllFromIndex('sales', 'shop', shopId)
}

/** How many sales wait in this browser, of all shops. */
export async function countWaiting(): Promise<number> {
  return (await keptStore()).count('sales')
}

/** A refused sale is sent once more, as another request. */
export async function sendAgain(sale: WaitingSale): Promise<void> {
  await put({ ...sale, key: randomId(), triedAtMs: undefined, refusal: undefined })
}

export async function dropWaiting({ id }: WaitingSale): Promise<void> {
  await (await keptStore()).delete('sales', id)
  changed()
}

/**
 * Sends a shop's waiting sales, one after the other in their order, each under its own key; of several tabs one does. What
 * the service refuses stays for a person to decide, and one that it fails at for the next time. It stops where the service is
 * away, or has no time.
 */
export async function sendWaiting(shopId: string, tooOld: string): Promise<void> {
  const sendAll = async () => {
    const failed = new Set<number>()
    for (;;) {
      const next = (await listWaiting(shopId)).find(
        ({ id, refusal }) => refusal === undefined && !failed.has(id),
      )
      if (next === undefined) return
      const outcome = await sendOne(next, tooOld)
      if (outcome === 'away') return
      if (outcome === 'failed') failed.add(next.id)
    }
  }
  // Without a secure origin there are no locks; the keys make two senders harmless.
  if (navigator.locks === undefined) return sendAll()
  await navigator.locks.request(`shopbell-sales-${shopId}`, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await sendAll()
  })
}

/** `failed` and `away`: it waits; after the first the next sale may follow. */
async function sendOne(sale: WaitingSale, tooOld: string): Promise<'done' | 'failed' | 'away'> {
  const triedAtMs = sale.triedAtMs ?? Date.now()
  if (isTooOld(triedAtMs)) {
    await put({ ...sale, refusal: tooOld })
    return 'done'
  }
  if (sale.triedAtMs === undefined) await put({ ...sale, triedAtMs })
  try {
    const { data: order } = await dataOf(
      api.POST('/api/external/order/pos/create', {
        body: sale.body,
        headers: { 'idempotency-key': sale.key, 'x-shop-id': sale.shopId, ...soldAt(sale) },
      }),
    )
    const placed = { shopId: sale.shopId, id: order._id }
    if (sale.rest !== undefined)
      await payRest(placed, sale.rest, sale.key, soldAt(sale)).catch(leaveIfRefused)
    if (sale.isHandedOver) await completeOrder(placed).catch(leaveIfRefused)
    await dropWaiting(sale)
    void queryClient.invalidateQueries({ queryKey: ['orders'] })
    void queryClient.invalidateQueries({ queryKey: ['products'] })
    return 'done'
  } catch (error) {
    if (isOnlyThis(error)) return 'failed'
    if (!isRefusal(error)) return 'away'
    await put({ ...sale, triedAtMs, refusal: (error as Error).message })
    return 'done'
  }
}

/** When the sale was made: it counts in no shift that was opened since. */
function soldAt({ receipt }: WaitingSale): Record<string, string> {
  return { [SOLD_AT]: String(Date.parse(receipt.createdAt)) }
}

/** The order stands; a person completes it, or takes what is still owed. Without an answer the sale waits, and its key finds the order again. */
function leaveIfRefused(error: unknown): void {
  if (!isRefusal(error)) throw error
}

async function put(sale: WaitingSale): Promise<void> {
  await (await keptStore()).put('sales', sale)
  changed()
}
