import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { Refused, Unauthorized } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import type { GuessLimits } from '../../../http/guess-limits.ts'
import { isSameSite } from '../../../http/same-site.ts'
import { changePasswordBody, resetPasswordBody } from '../members/schema.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import { changePassword, resetIdentifier, resetPassword } from './change-password.ts'
import { findPasswordHash, findResetLink } from './sql.ts'

const tags = ['Console']
const response = { 200: Type.Object({ success: Type.Boolean() }) }

/**
 * A new password, by a link or by who is signed in. Not the sign-in library's own operations: those set the password
 * in one statement and end sessions in another, and leave other links open.
 */
export function passwordRoutes(app: App, deps: Deps, signIn: SignIn, limits: GuessLimits): void {
  const { db, clock, config } = deps

  app.post(
    '/api/auth/reset-password',
    {
      schema: {
        tags,
        operationId: 'resetPassword',
        summary: 'Set a new password with the link’s token; all sessions and other links end',
        body: resetPasswordBody,
        errors: [429, 'LINK_USED'],
        response,
      },
    },
    async (request, reply) => {
      const { token, newPassword } = request.body
      // Before the password's slow hash, which must not be had for any made-up link.
      if ((await findResetLink(db, resetIdentifier(token), clock.now())) === undefined) {
        await limits.countGuess(request, reply)
        throw new Refused('LINK_USED')
      }
      await limits.countHash(request, reply)
      const user = await resetPassword(deps, token, await signIn.hashPassword(newPassword))
      signIn.forget(user.id)
      signIn.rememberBrowser(reply, user.email)
      reply.header('cache-control', 'no-store')
      return { success: true }
    },
  )

  app.post(
    '/api/auth/change-password',
    {
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Change the password; all other sessions and all reset links end',
        body: changePasswordBody,
        errors: [401, 429, 'CROSS_SITE_REQUEST'],
        response,
      },
    },
    async (request, reply) => {
      const user = await signIn.userOf(request, true)
      if (user === undefined) throw new Unauthorized('session')
      if (!isSameSite(request, config.publicUrl)) throw new Refused('CROSS_SITE_REQUEST')
      const { currentPassword, newPassword } = request.body
      const wasRight = await limits.countPassword(user.id, reply)
      const knownHash = await findPasswordHash(db, user.id)
      if (knownHash === undefined || !(await signIn.verifyPassword(knownHash, currentPassword)))
        throw new Unauthorized('password')
      await wasRight()
      await changePassword(deps, user, knownHash, await signIn.hashPassword(newPassword))
      signIn.forget(user.id)
      reply.header('cache-control', 'no-store')
      return { success: true }
    },
  )
}
