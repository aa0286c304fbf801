import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { NotFound, Refused, Unauthorized } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { isSameSite } from '../../../http/same-site.ts'
import { objectId } from '../../../http/validation/object-id.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { AuditAction } from '../../audit/rules.ts'
import { insertAuditEntry } from '../../audit/sql.ts'
import { findShop } from '../../shops/sql.ts'
import type { MemberAuth } from '../member-auth.ts'
import { findMember } from '../members/sql.ts'
import type { SessionUser, SignIn } from '../sessions/sign-in.ts'
import { endOfVisit } from './rules.ts'

const tags = ['Console']
const visit = Type.Object({
  data: Type.Object({
    shopId: Type.String(),
    until: Type.Union([Type.String(), Type.Null()], {
      description: 'When it ends by itself; null: it has ended',
    }),
  }),
})

/**
 * An operator views a shop with the rights of a viewer: they change nothing, the shop's audit log records who and when, and the
 * visit ends by itself. Only people can visit, since the log could not name who uses the operator's token.
 */
export function visitRoutes(app: App, deps: Deps, signIn: SignIn, memberAuth: MemberAuth): void {
  const { db, ids, clock, config } = deps

  /** @throws Unauthorized; NotFound if the person is not an operator, or the shop does not exist. */
  async function visitor(request: FastifyRequest): Promise<{ user: SessionUser; shopId: ObjectId }> {
    const user = await signIn.userOf(request, true)
    if (user === undefined) throw new Unauthorized('session')
    if (!isSameSite(request, config.publicUrl)) throw new Refused('CROSS_SITE_REQUEST')
    const shopId = objectId((request.params as { shopId: string }).shopId, 'shopId')
    if (!user.isOperator || (await findShop(db, shopId)) === undefined) throw new NotFound('shop')
    return { user, shopId }
  }

  async function record(
    request: FastifyRequest,
    action: AuditAction,
  ): Promise<{ shopId: ObjectId; at: Date }> {
    const { user, shopId } = await visitor(request)
    const at = clock.now()
    // A member has a role of their own in the shop, which must not be confused with a visit.
    if ((await findMember(db, shopId, user.id)) !== undefined) throw new NotFound('shop')
    const origin = { actor: 'member' as const, actorId: user.id, requestId: request.id, address: request.ip }
    await db
      .transaction()
      .execute((trx) =>
        insertAuditEntry(trx, shopId, { id: ids.next(), origin, action, target: {}, detail: {}, now: at }),
      )
    memberAuth.forget(user.id)
    return { shopId, at }
  }

  app.put(
    '/api/console/v1/visits/:shopId',
    {
      schema: {
        tags,
        operationId: 'visitShop',
        summary: 'View a shop as an operator, read-only, for 30 minutes; the shop’s audit log records it',
        errors: [401, 404, 'CROSS_SITE_REQUEST'],
        response: { 200: visit },
      },
    },
    async (request) => {
      const { shopId, at } = await record(request, 'shop.visit')
      return { data: { shopId, until: endOfVisit(at).toISOString() } }
    },
  )

  app.delete(
    '/api/console/v1/visits/:shopId',
    {
      schema: {
        tags,
        operationId: 'leaveShop',
        summary: 'End the visit of a shop',
        description: 'In other processes it ends within 5 s.',
        errors: [401, 404, 'CROSS_SITE_REQUEST'],
        response: { 200: visit },
      },
    },
    async (request) => {
      const { shopId } = await record(request, 'shop.leave')
      return { data: { shopId, until: null } }
    },
  )
}
