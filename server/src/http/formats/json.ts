import type { FastifyReply } from 'fastify'
import { streamOf } from './chunks.ts'

/** Sends a body that is already JSON, as that of lists whose records the database writes. */
export function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body)
}

/** Sends JSON piece by piece, each after the one before has been sent. An error after the first piece breaks the response off. */
export async function sendJsonPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<string, void>,
): Promise<FastifyReply> {
  const stream = await streamOf(pieces)
  return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(stream)
}
