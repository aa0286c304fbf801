import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { dayOf } from '../../lib/time/dates.ts'
import { literals } from '../validation/validate.ts'
import { streamOf } from './chunks.ts'

/** The response schema of a route that sends a CSV file. */
export const csvFile = {
  description: 'A file',
  content: { 'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) } },
}

/** The query parameter with which an export is written for people (G-121); `exportChunks` applies it. */
export const labels = Type.Optional(
  literals(['vi', 'en'], {
    description:
      'For people instead of programs: headings, coded values such as statuses, and booleans are words of this language; times are in Vietnam’s time zone as `2026-11-27 23:20`, which spreadsheets read and sort as times in every language; ids are in the last columns. Default: the API’s names and values, and times in UTC',
  }),
)

/** Streams a CSV file named after `name` and the day in the shops' time zone. An error before the first chunk still gets its own error response. */
export async function sendCsv(
  reply: FastifyReply,
  file: { name: string; now: Date; chunks: AsyncGenerator<string, void> },
): Promise<FastifyReply> {
  const lines = await streamOf(file.chunks)
  const day = dayOf(file.now)
  return reply
    .header('content-disposition', `attachment; filename="${file.name}-${day}.csv"`)
    .header('cache-control', 'no-store')
    .type('text/csv; charset=utf-8')
    .send(lines)
}
