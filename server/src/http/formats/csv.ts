import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { streamOf } from './chunks.ts'

/** The response schema of a route that sends a CSV file. */
export const csvFile = {
  description: 'A file',
  content: { 'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) } },
}

/** Streams a CSV file named after `name` and the day. An error before the first chunk still gets its own error response. */
export async function sendCsv(
  reply: FastifyReply,
  file: { name: string; now: Date; chunks: AsyncGenerator<string, void> },
): Promise<FastifyReply> {
  const lines = await streamOf(file.chunks)
  const day = file.now.toISOString().slice(0, 10)
  return reply
    .header('content-disposition', `attachment; filename="${file.name}-${day}.csv"`)
    .header('cache-control', 'no-store')
    .type('text/csv; charset=utf-8')
    .send(lines)
}
