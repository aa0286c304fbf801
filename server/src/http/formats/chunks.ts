import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { keepingShare } from '../../db/share.ts'

/**
 * A stream that makes each chunk after the one before has been sent. The first chunk is made now, so an error before it
 * still gets its own error response. A later error breaks the response off.
 */
export async function streamOf(chunks: AsyncGenerator<string, void>): Promise<Readable> {
  const first = await chunks.next()
  const next = keepingShare(() => chunks.next())
  return Readable.from(withFirst(first, next), { highWaterMark: 1 })
}

async function* withFirst(
  first: IteratorResult<string, void>,
  next: () => Promise<IteratorResult<string, void>>,
): AsyncGenerator<string, void> {
  if (first.done !== true) yield first.value
  for (let one = await next(); one.done !== true; one = await next()) {
    yield one.value
    // Other requests come first, also while the connection takes everything at once.
    await nextTurn()
  }
}
