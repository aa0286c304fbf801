import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { Refused, Unauthorized } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import type { RouteError } from '../../../http/error-map.ts'
import { countOne } from '../../../http/limits/rate-limit.ts'
import { isSameSite } from '../../../http/same-site.ts'
import { createCache } from '../../../lib/cache.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { sha256 } from '../../../lib/secrets/sha256.ts'
import { mailer } from '../mail.ts'
import { findPasswordHash } from '../passwords/sql.ts'
import { findUserByEmail } from '../users-sql.ts'
import { cookiesOf, sessionCookieName } from './session-cookie.ts'
import { answer, createAuth, RESET_SECONDS, webRequest } from './sign-in-library.ts'
import { buildSignInLimits } from './sign-in-limits.ts'
import { deleteSessions } from './sql.ts'

export type SessionUser = {
  id: ObjectId
  name: string
  email: string
  isOperator: boolean
  /** The session that the request came with. */
  sessionToken: string
}

export type SignIn = {
  /**
   * The person to whom the request's session belongs; 0 round trips while cached (5 s), else one or two. `isFresh` bypasses the
   * cache: a right that another process removed must not be used for changing anyone's rights.
   */
  userOf(request: FastifyRequest, isFresh?: boolean): Promise<SessionUser | undefined>
  /** Drops a person's cached sessions immediately, after their rights or password changed. */
  forget(userId: ObjectId): void
  /** Lets the browser prove later that its person has signed in to this account before. */
  rememberBrowser(reply: FastifyReply, email: string): void
  /** A token that sets a new password once, within a day. */
  createResetToken(userId: ObjectId): Promise<string>
  /** The library's own operations that the console uses, at `/api/auth`. */
  routes(app: App): void
}

const REMEMBERED = 10_000

/** The most reset links that may be requested a minute. */
const MAILS_TO_ONE_PERSON = 5

const MAILS_OF_ONE_ADDRESS = 30
const email = Type.String({ maxLength: 254 })
const password = Type.String({ maxLength: 128 })
const closed = { additionalProperties: false }

/** No other operation of the library is reachable: accounts are created only by invitation. */
const ROUTES: { path: string; operationId: string; summary: string; errors: RouteError[]; body: TObject }[] =
  [
    {
      path: 'sign-in/email',
      operationId: 'signIn',
      errors: [401, 429, 'CROSS_SITE_REQUEST'],
      summary: 'Sign in; the session is kept in a cookie',
      body: Type.Object({ email, password }, closed),
    },
    {
      path: 'sign-out',
      operationId: 'signOut',
      errors: ['CROSS_SITE_REQUEST'],
      summary: 'Sign out',
      body: Type.Object({}, closed),
    },
    {
      path: 'request-password-reset',
      operationId: 'requestPasswordReset',
      errors: [429, 'CROSS_SITE_REQUEST', 'NO_MAIL'],
      summary: 'Request a password reset link by email',
      body: Type.Object({ email }, closed),
    },
  ]

/** Sign-in by email and password with sessions in cookies: better-auth on the service's own database. */
export function buildSignIn(deps: Deps): SignIn {
  // Loaded for the first session: a service that only partners call saves 0.3 s and the memory.
  let made: ReturnType<typeof createAuth> | undefined
  const library = () => {
    made ??= createAuth(deps, mailer(deps))
    return made
  }
  const limits = buildSignInLimits(deps)
  const mails = {
    person: deps.limiters.perMinute('reset-mails-person', MAILS_TO_ONE_PERSON),
    address: deps.limiters.perMinute('reset-mails-address', MAILS_OF_ONE_ADDRESS),
  }
  const cookieName = sessionCookieName(deps.config.publicUrl)
  const remembered = createCache<SessionUser>({ max: REMEMBERED, keptMs: deps.timings.rightsKeptMs })

  /**
   * The person whose session this cookie is. The library reads nothing else of a request, so its result can be cached by cookie.
   */
  function userOfCookie(cookie: string, isFresh: boolean): Promise<SessionUser | undefined> {
    const read = async () => {
      const auth = await library()
      const session = await auth.api.getSession({ headers: new Headers({ cookie }) })
      if (session === null) return undefined
      const { id, name, email, isOperator } = session.user
      const sessionToken = session.session.token
      return { id: id as ObjectId, name, email, isOperator: isOperator === true, sessionToken }
    }
    return remembered.get(idOf(cookie), read, isFresh)
  }

  /** The first of the request's cookies that is a session. */
  async function verifiedSession(
    request: FastifyRequest,
    isFresh: boolean,
  ): Promise<{ cookie: string; user: SessionUser } | undefined> {
    for (const cookie of cookiesOf(request.headers.cookie, cookieName)) {
      const user = await userOfCookie(cookie, isFresh)
      if (user !== undefined) return { cookie, user }
    }
    return undefined
  }

  /** Only wrong passwords stay counted. */
  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    email: string,
    send: () => Promise<Response>,
  ): Promise<{ success: boolean }> {
    const wasNone = await limits.count(request, reply, email)
    const before = await findSecret(deps.db, email)
    const response = await send()
    if (response.status !== 401) await wasNone()
    // The password may have been changed while it was being checked; then this session must end.
    if (response.ok && before !== undefined) {
      if ((await findPasswordHash(deps.db, before.id)) !== before.hash) {
        await deleteSessions(deps.db, before.id)
        throw new Unauthorized('password')
      }
    }
    const answered = await answer(reply, response)
    limits.rememberBrowser(reply, email)
    return answered
  }

  return {
    async userOf(request, isFresh = false) {
      return (await verifiedSession(request, isFresh))?.user
    },
    forget(userId) {
      remembered.forget((user) => user.id === userId)
    },
    rememberBrowser: limits.rememberBrowser,
    async createResetToken(userId) {
      const context = await (await library()).$context
      const token = randomBytes(24).toString('base64url')
      await context.internalAdapter.createVerificationValue({
        identifier: `reset-password:${token}`,
        value: userId,
        expiresAt: new Date(deps.clock.now().getTime() + RESET_SECONDS * 1000),
      })
      return token
    },
    routes(app) {
      const response = { 200: Type.Object({ success: Type.Boolean() }) }
      for (const { path, body, ...named } of ROUTES) {
        app.post(
          `/api/auth/${path}`,
          { schema: { tags: ['Console'], ...named, body, response } },
          async (request, reply) => {
            const { publicUrl } = deps.config
            if (!isSameSite(request, publicUrl)) throw new Refused('CROSS_SITE_REQUEST')
            const session = await verifiedSession(request, true)
            const auth = await library()
            const send = () => auth.handler(webRequest(request, { cookie: session?.cookie, publicUrl }))
            const asked = request.body as { email?: string }
            if (path === 'sign-in/email') return signIn(request, reply, asked.email!, send)
            if (path === 'request-password-reset') {
              await countOne(mails.person, asked.email!.toLowerCase(), reply, 'Too many links requested')
              await countOne(mails.address, request.ip, reply, 'Too many links requested')
            }
            const response = await send()
            // A session that ended or changed must not stay cached.
            const ended = session && idOf(session.cookie)
            remembered.forget((_user, name) => name === ended)
            return answer(reply, response)
          },
        )
      }
    },
  }
}

/** The person with this email address, and the hash of their password. */
async function findSecret(db: Db, email: string) {
  const user = await findUserByEmail(db, email.toLowerCase())
  return user && { id: user.id, hash: await findPasswordHash(db, user.id) }
}

function idOf(cookie: string): string {
  return sha256(cookie).toString('base64')
}
