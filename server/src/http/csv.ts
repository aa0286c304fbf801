import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { keepingShare } from '../db/share.ts'

/** The answer of a route that sends a CSV file, for its schema. */
export const csvFile = {
  description: 'A file',
  content: { 'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) } },
}

/**
 * Sends a CSV file as its pieces are made, for `name` and the day. What fails before the first piece is still an
 * answer of its own.
 */
export async function sendCsv(
  reply: FastifyReply,
  file: { name: string; now: Date; chunks: AsyncGenerator<string, void> },
): Promise<FastifyReply> {
  const first = await file.chunks.next()
  const next = keepingShare(() => file.chunks.next())
  const day = file.now.toISOString().slice(0, 10)
  return reply
    .header('content-disposition', `attachment; filename="${file.name}-${day}.csv"`)
    .header('cache-control', 'no-store')
    .type('text/csv; charset=utf-8')
    .send(Readable.from(withFirst(first, next), { highWaterMark: 1 }))
}

async function* withFirst(
  first: IteratorResult<string, void>,
  next: () => Promise<IteratorResult<string, void>>,
): AsyncGenerator<string, void> {
  if (first.done !== true) yield first.value
  for (let one = await next(); one.done !== true; one = await next()) yield one.value
}
