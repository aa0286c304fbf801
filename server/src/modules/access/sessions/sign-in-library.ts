import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField, Refused, Unauthorized } from '../../../errors.ts'
import { type Language, languageOf } from '../../../http/language.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { SendMail } from '../mail.ts'
import { listShopsOfUser } from '../members/sql.ts'
import { isSecure, sessionCookiePrefix } from './session-cookie.ts'

const SESSION_DAYS = 30
/** How long a link for setting a password is valid. */
export const RESET_SECONDS = 24 * 3600
const ADDRESS_HEADER = 'x-shopbell-address'

/** The library that keeps people's sessions, better-auth, on the service's own database and tables. */
export async function createAuth(
  { config, db, ids, log, passwords, secrets }: Deps,
  sendMail: SendMail | undefined,
) {
  const { betterAuth } = await import('better-auth')
  return betterAuth({
    appName: 'Shopbell',
    basePath: '/api/auth',
    secret: secrets.derive('console sessions').toString('hex'),
    database: { db: db as never, type: 'postgres' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 10,
      password: passwords,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      ...(sendMail === undefined
        ? {}
        : {
            sendResetPassword: async ({ user, token }, request) =>
              sendMail(async () => ({
                kind: 'reset',
                to: user.email,
                language: await languageOfPerson(db, user.id, request),
                path: `/reset-password?token=${token}`,
              })),
          }),
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_DAYS * 86_400,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        isOperator: { type: 'boolean', fieldName: 'is_operator', input: false, defaultValue: false },
      },
    },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    // sign-in-limits.ts counts instead, with the limiters that all processes share.
    rateLimit: { enabled: false },
    advanced: {
      // Our own check (same-site.ts) runs before it, for sign-in and all changes alike.
      disableCSRFCheck: true,
      cookiePrefix: sessionCookiePrefix(config.publicUrl),
      // Only without its own prefix does the library set the one above.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure(config.publicUrl) },
      database: { generateId: () => ids.next() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message) => log.error({ part: 'sign-in' }, message),
    },
  })
}

/** The language of the person's request, else that of their first shop. */
async function languageOfPerson(db: Db, userId: ObjectId, request: Request | undefined): Promise<Language> {
  const [shop] = await listShopsOfUser(db, userId)
  return languageOf(request?.headers.get('accept-language') ?? undefined, shop?.language)
}

/**
 * The request as the library takes it, with no cookie except the verified session's. Its address is the service's own, since the
 * address that the caller names in `Host` may be invalid.
 */
export function webRequest(
  request: FastifyRequest,
  { cookie, publicUrl = 'http://localhost' }: { cookie: string | undefined; publicUrl: string | undefined },
): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && name !== 'content-length') headers.set(name, value)
  }
  headers.delete('cookie')
  if (cookie !== undefined) headers.set('cookie', cookie)
  headers.set(ADDRESS_HEADER, request.ip)
  return new Request(new URL(request.url, publicUrl), {
    method: request.method,
    headers,
    body: JSON.stringify(request.body),
  })
}

/** The library's response in our shapes (G-02). Only its cookies are passed on: scripts get no token. */
export async function answer(reply: FastifyReply, response: Response): Promise<{ success: boolean }> {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  reply.header('cache-control', 'no-store')
  if (response.ok) return { success: true }
  const { message = '', code = '' }: { message?: string; code?: string } = JSON.parse(
    (await response.text()) || '{}',
  )
  if (response.status === 401) throw new Unauthorized('password')
  // The library has one code for an invalid email, and another for what its schema rejects.
  if (code === 'INVALID_EMAIL' || (code === 'VALIDATION_ERROR' && message.startsWith('[body.email]'))) {
    throw invalidField(['email'], 'string.email')
  }
  if (code === 'RESET_PASSWORD_DISABLED') throw new Refused('NO_MAIL')
  throw new Error(`the sign-in library answered ${response.status}: ${code} ${message}`)
}
