import { Readable } from 'node:stream'
import { keepingShare } from '../../db/share.ts'

/**
 * A stream of chunks, each made when the one before has left. The first is made now, so that a failure before it still gets
 * its own error response; a later one breaks the response off.
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
  for (let one = await next(); one.done !== true; one = await next()) yield one.value
}
