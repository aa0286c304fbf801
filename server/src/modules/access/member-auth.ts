import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Refused } from '../../errors.ts'
import { isSameSite } from '../../http/same-site.ts'
import { createCache } from '../../lib/cache.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../../lib/object-id.ts'
import { scopesOfRole } from './members/rules.ts'
import { findMemberShop, type MemberShop } from './members/sql.ts'
import type { SessionUser, SignIn } from './sessions/sign-in.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, where a session let the request in. */
    memberId: ObjectId | undefined
    /** Whether the operator's token, or an operator's session, let the request into the management API. */
    isOperator: boolean
  }
}

const REMEMBERED = 10_000

/** What an owner's session may reach of the management API, in the own shop. */
const OWNERS = /^\/api\/manage\/v1\/shops\/:id(\/(keys|members|invitations|audit|official-accounts)(\/|$)|$)/
const OWNERS_READ_ONLY = /official-accounts/

export type MemberAuth = {
  /**
   * Lets a request of the external API in by the session's cookie, for the shop that `x-shop-id` names, with the
   * scopes of the member's role. 0 round trips while remembered.
   * @returns false when there is no session, or none in that shop.
   * @throws Refused CROSS_SITE_REQUEST (403)
   */
  enterShop(request: FastifyRequest): Promise<boolean>
  /**
   * Lets an operator's session into the management API, and an owner's into the part about the own shop. A change asks
   * the database: one who was removed, by whichever process, could else undo it while a session is remembered.
   */
  enterManagement(request: FastifyRequest): Promise<boolean>
  /** Forgets what is remembered of a person, after their role changed. */
  forget(userId: ObjectId): void
}

export function buildMemberAuth(
  { db, config, timings }: Pick<Deps, 'db' | 'config' | 'timings'>,
  signIn: SignIn,
): MemberAuth {
  const remembered = createCache<{ shop: MemberShop | undefined }>({
    max: REMEMBERED,
    keptMs: timings.rightsKeptMs,
  })

  async function memberShop(
    userId: ObjectId,
    shopId: ObjectId,
    isFresh: boolean,
  ): Promise<MemberShop | undefined> {
    const read = async () => ({ shop: await findMemberShop(db, shopId, userId) })
    return (await remembered.get(`${userId}${shopId}`, read, isFresh))?.shop
  }

  async function signedIn(request: FastifyRequest, isFresh: boolean): Promise<SessionUser | undefined> {
    const user = await signIn.userOf(request, isFresh)
    if (user !== undefined && !isSameSite(request, config.publicUrl)) throw new Refused('CROSS_SITE_REQUEST')
    return user
  }

  return {
    async enterShop(request) {
      const user = await signedIn(request, false)
      const named = request.headers['x-shop-id']
      if (user === undefined || typeof named !== 'string' || !isObjectId(named)) return false
      const shop = await memberShop(user.id, normalizeObjectId(named), false)
      if (shop === undefined) return false
      const { id, language, oversell, role } = shop
      request.shop = { id, keyId: undefined, scopes: scopesOfRole(role), language, oversell }
      request.memberId = user.id
      return true
    },
    async enterManagement(request) {
      const isChange = request.method !== 'GET' && request.method !== 'HEAD'
      const user = await signedIn(request, isChange)
      if (user === undefined) return false
      request.memberId = user.id
      request.isOperator = user.isOperator
      if (user.isOperator) return true
      const path = request.routeOptions.url ?? ''
      const { id } = request.params as { id?: string }
      if (!OWNERS.test(path) || id === undefined || !isObjectId(id)) return false
      if (OWNERS_READ_ONLY.test(path) && isChange) return false
      return (await memberShop(user.id, normalizeObjectId(id), isChange))?.role === 'owner'
    },
    forget(userId) {
      remembered.forget((_shop, name) => name.startsWith(userId))
    },
  }
}
