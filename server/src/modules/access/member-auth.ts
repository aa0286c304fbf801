import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Refused, Unauthorized } from '../../errors.ts'
import { isSameSite } from '../../http/same-site.ts'
import { createCache } from '../../lib/cache.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../../lib/object-id.ts'
import { hasAllShifts, scopesOfRole, seesCosts } from './members/rules.ts'
import { findMemberShop, type MemberShop } from './members/sql.ts'
import type { SessionUser, SignIn } from './sessions/sign-in.ts'
import { endOfVisit, oldestVisit } from './visits/rules.ts'
import { findVisit } from './visits/sql.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person, if a session let the request in. */
    memberId: ObjectId | undefined
    /** Whether the operator's token or an operator's session let the request into the management API. */
    isOperator: boolean
    /** The session that let the request into the management API. */
    sessionToken: string | undefined
  }
}

const REMEMBERED = 10_000

/** The part of the management API that an owner's session may use, for their own shop. */
const OWNERS =
  /^\/api\/manage\/v1\/shops\/:id(\/(keys|members|invitations|audit|official-accounts|people)(\/|$)|$)/
const OWNERS_READ_ONLY = /official-accounts(?!\/connect(\/|$))/

export type MemberAuth = {
  /**
   * Authenticates a request of the external API by the session's cookie, for the shop that `x-shop-id` names, with the scopes of
   * the member's role, or of a viewer for an operator who visits the shop. 0 round trips while cached.
   * @returns false when there is no session, or the person has no access to that shop.
   * @throws Refused CROSS_SITE_REQUEST, SHOP_SUSPENDED (403)
   */
  enterShop(request: FastifyRequest): Promise<boolean>
  /** As {@link enterShop}, for routes that only a session may use. @throws Unauthorized where that returns false. */
  requireShop(request: FastifyRequest): Promise<void>
  /**
   * Lets an operator's session into the management API, and an owner's session into the part about their own shop. For a change
   * the database is always asked: a person whose right was removed by another process could otherwise undo that while the session
   * is cached.
   */
  enterManagement(request: FastifyRequest): Promise<boolean>
  /** Drops what is cached about a person, after their role changed. */
  forget(userId: ObjectId): void
  /** Drops what is cached about the people of a shop, after it was suspended or resumed. */
  forgetShop(shopId: ObjectId): void
}

export function buildMemberAuth(
  { db, clock, config, timings }: Pick<Deps, 'db' | 'clock' | 'config' | 'timings'>,
  signIn: SignIn,
): MemberAuth {
  const remembered = createCache<{ shop: MemberShop | undefined }>({
    max: REMEMBERED,
    keptMs: timings.rightsKeptMs,
  })
  const visits = createCache<{ shop: MemberShop; since: Date }>({
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

  /** The shop that an operator visits; the end of a cached visit is checked each time. */
  async function visitedShop(user: SessionUser, shopId: ObjectId): Promise<MemberShop | undefined> {
    if (!user.isOperator) return undefined
    const now = clock.now()
    const visit = await visits.get(`${user.id}${shopId}`, () =>
      findVisit(db, shopId, user.id, oldestVisit(now)),
    )
    return visit !== undefined && endOfVisit(visit.since) > now ? visit.shop : undefined
  }

  async function signedIn(request: FastifyRequest, isFresh: boolean): Promise<SessionUser | undefined> {
    const user = await signIn.userOf(request, isFresh)
    if (user !== undefined && !isSameSite(request, config.publicUrl)) throw new Refused('CROSS_SITE_REQUEST')
    return user
  }

  async function enterShop(request: FastifyRequest): Promise<boolean> {
    const user = await signedIn(request, false)
    const named = request.headers['x-shop-id']
    if (user === undefined || typeof named !== 'string' || !isObjectId(named)) return false
    const shopId = normalizeObjectId(named)
    const shop = (await memberShop(user.id, shopId, false)) ?? (await visitedShop(user, shopId))
    if (shop === undefined) return false
    if (shop.isSuspended) throw new Refused('SHOP_SUSPENDED')
    const { id, language, oversell, role } = shop
    request.shop = {
      id,
      keyId: undefined,
      scopes: scopesOfRole(role),
      seesCosts: seesCosts(role),
      hasAllShifts: hasAllShifts(role),
      language,
      oversell,
    }
    request.memberId = user.id
    return true
  }

  return {
    enterShop,
    async requireShop(request) {
      if (!(await enterShop(request))) throw new Unauthorized('session')
    },
    async enterManagement(request) {
      const isChange = request.method !== 'GET' && request.method !== 'HEAD'
      const user = await signedIn(request, isChange)
      if (user === undefined) return false
      request.memberId = user.id
      request.isOperator = user.isOperator
      request.sessionToken = user.sessionToken
      if (user.isOperator) return true
      const path = request.routeOptions.url ?? ''
      const { id } = request.params as { id?: string }
      if (!OWNERS.test(path) || id === undefined || !isObjectId(id)) return false
      if (OWNERS_READ_ONLY.test(path) && isChange) return false
      const shop = await memberShop(user.id, normalizeObjectId(id), isChange)
      if (shop?.role !== 'owner') return false
      if (shop.isSuspended) throw new Refused('SHOP_SUSPENDED')
      return true
    },
    forget(userId) {
      remembered.forget((_shop, name) => name.startsWith(userId))
      visits.forget((_visit, name) => name.startsWith(userId))
    },
    forgetShop(shopId) {
      remembered.forget((_shop, name) => name.endsWith(shopId))
      visits.forget((_visit, name) => name.endsWith(shopId))
    },
  }
}
