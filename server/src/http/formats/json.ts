import type { FastifyReply } from 'fastify'

/** Sends a body that is already JSON, as that of lists whose records the database writes. */
export function sendJson(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body)
}
