import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import type { Limiter } from '../../../http/limits/limiters.ts'
import { countOne } from '../../../http/limits/rate-limit.ts'
import { sha256 } from '../../../lib/secrets/sha256.ts'
import { cookiesOf, isSecure } from './session-cookie.ts'

/** Wrong passwords a minute: for one account from one address, or from one browser that signed in to it before. */
const OF_ONE_ACCOUNT_HERE = 10
/** For one account, from all unknown browsers together, so that many addresses cannot guess at it. */
const OF_ONE_ACCOUNT = 100
/** From one address, for all accounts together, so that it cannot try the same password on all of them. */
const OF_ONE_ADDRESS = 100
const KNOWN_DAYS = 180

export type SignInLimits = {
  /**
   * Counts an attempt before its slow check. @returns a function that undoes the count if the password was right.
   * @throws RateLimited
   */
  count(request: FastifyRequest, reply: FastifyReply, email: string): Promise<() => Promise<void>>
  /** Lets the browser prove later that its person has signed in to this account before. */
  rememberBrowser(reply: FastifyReply, email: string): void
}

/**
 * Limits wrong passwords by account and address (0017). A browser that signed in to the account before has a cookie that says so
 * and is counted by that alone (OWASP's device cookies): guessing at an account, or using up the limit of a shared address, locks
 * out strangers for a minute, never the person's own browser.
 */
export function buildSignInLimits({
  config,
  limiters,
  secrets,
}: Pick<Deps, 'config' | 'limiters' | 'secrets'>): SignInLimits {
  const limits = {
    known: limiters.perMinute('sign-in-known', OF_ONE_ACCOUNT_HERE),
    here: limiters.perMinute('sign-in-here', OF_ONE_ACCOUNT_HERE),
    account: limiters.perMinute('sign-in-account', OF_ONE_ACCOUNT),
    address: limiters.perMinute('sign-in-address', OF_ONE_ADDRESS),
  }
  const secret = secrets.derive('known browsers')
  const prefix = isSecure(config.publicUrl) ? '__Secure-' : ''

  const cookieName = (account: string) => `${prefix}shopbell.known.${account.slice(0, 16)}`
  const sign = (account: string, nonce: string) =>
    createHmac('sha256', secret).update(`${account}.${nonce}`).digest('base64url')

  /** Identifies this browser among those of the account; undefined for one that has not signed in to it. */
  function knownBrowser(request: FastifyRequest, account: string): string | undefined {
    const name = cookieName(account)
    for (const cookie of cookiesOf(request.headers.cookie, name)) {
      const [nonce = '', signature = ''] = cookie.slice(name.length + 1).split('.')
      const given = Buffer.from(signature)
      const expected = Buffer.from(sign(account, nonce))
      // In bytes: the text of a cookie may have characters of two bytes, and timingSafeEqual throws for unequal lengths.
      if (given.byteLength === expected.byteLength && timingSafeEqual(given, expected)) return nonce
    }
    return undefined
  }

  return {
    async count(request, reply, email) {
      const account = accountOf(email)
      const browser = knownBrowser(request, account)
      const counted: [Limiter, string][] =
        browser === undefined
          ? [
              [limits.here, `${account}:${request.ip}`],
              [limits.account, account],
              [limits.address, request.ip],
            ]
          : [[limits.known, browser]]
      for (const [limiter, key] of counted) await countOne(limiter, key, reply, 'Too many wrong passwords')
      return async () => {
        for (const [limiter, key] of counted) await limiter.giveBack(key)
      }
    },
    rememberBrowser(reply, email) {
      const account = accountOf(email)
      const nonce = randomBytes(12).toString('base64url')
      reply.header(
        'set-cookie',
        `${cookieName(account)}=${nonce}.${sign(account, nonce)}; Path=/api/auth; HttpOnly; SameSite=Lax; ` +
          `Max-Age=${KNOWN_DAYS * 86_400}${prefix === '' ? '' : '; Secure'}`,
      )
    },
  }
}

function accountOf(email: string): string {
  return sha256(email.trim().toLowerCase()).toString('hex')
}
