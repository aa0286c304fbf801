import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/**
 * Concurrent messages: few, because requests need the database too, but enough that one slow response does not block the others.
 */
const AT_ONCE = 8

/**
 * Works on claimed messages of any shops, several at once, each in its shop's share of the pool. A message whose work fails is
 * due again when its claim ends. @returns the messages that it has not begun, if it was stopped.
 */
export async function workClaimed<Row extends { shop_id: ObjectId }>(
  { log }: Pick<Deps, 'log'>,
  claimed: readonly Row[],
  { idOf, failed, signal }: { idOf(row: Row): ObjectId; failed: string; signal: AbortSignal | undefined },
  work: (row: Row) => Promise<void>,
): Promise<Row[]> {
  const queue = [...claimed]
  const worker = async () => {
    while (!signal?.aborted) {
      const one = queue.shift()
      if (one === undefined) return
      try {
        await inShareOf(one.shop_id, () => work(one))
      } catch (error) {
        // Only the error's text: PostgreSQL's detail contains the row, with the phone number.
        const reason = error instanceof Error ? error.message : String(error)
        log.error({ reason, messageId: idOf(one) }, failed)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return queue
}
