import type { FastifyRequest } from 'fastify'
import type { Origin } from '../modules/audit/rules.ts'

/** Whom the audit log names for a change that this request makes: its key, its member, else the operator. */
export function originOf(request: FastifyRequest): Origin {
  const from = { requestId: request.id, address: request.ip }
  const keyId = request.shop?.keyId
  if (keyId !== undefined) return { actor: 'key', actorId: keyId, ...from }
  if (request.memberId !== undefined) return { actor: 'member', actorId: request.memberId, ...from }
  return { actor: 'operator', ...from }
}
