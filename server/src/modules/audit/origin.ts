import type { FastifyRequest } from 'fastify'
import type { OperatorOrigin, Origin } from './rules.ts'

/** The author that the audit log names for a change by this request: its key, else its member, else the operator. */
export function originOf(request: FastifyRequest): Origin {
  const from = { requestId: request.id, address: request.ip }
  const keyId = request.shop?.keyId
  return keyId === undefined ? operatorOriginOf(request) : { actor: 'key', actorId: keyId, ...from }
}

/** The same for a request without a key: the signed-in person, else the operator's token. */
export function operatorOriginOf(request: FastifyRequest): OperatorOrigin {
  const from = { requestId: request.id, address: request.ip }
  return request.memberId === undefined
    ? { actor: 'operator', ...from }
    : { actor: 'member', actorId: request.memberId, ...from }
}
