import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { Refused, Unauthorized } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import type { GuessLimits } from '../../../http/limits/guess-limits.ts'
import { isSameSite } from '../../../http/same-site.ts'
import { changePasswordBody, resetPasswordBody } from '../members/schema.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import { changePassword, resetIdentifier, resetPassword } from './change-password.ts'
import { findPasswordHash, findResetLink } from './sql.ts'

const tags = ['Console']
const response = { 200: Type.Object({ success: Type.Boolean() }) }

/**
 * Setting a new password, by a link or as the signed-in person. The sign-in library's own operations are not used: they
 * set the password in one statement, end sessions in another, and leave other links open.
 */
export function passwordRoutes(app: App, deps: Deps, signIn: SignIn, limits: GuessLimits): void {
  const { db, clock, config, passwords } = deps

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
      // Checked before the slow password hash, which an invented link must not trigger.
      if ((await findResetLink(db, resetIdentifier(token), clock.now())) === undefined) {
        await limits.countGuess(request, reply)
        throw new Refused('LINK_USED')
      }
      await limits.countHash(request, reply)
      const user = await resetPassword(deps, token, await passwords.hash(newPassword))
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
      const isRight =
        knownHash !== undefined && (await passwords.verify({ hash: knownHash, password: currentPassword }))
      if (!isRight) throw new Unauthorized('password')
      await wasRight()
      await changePassword(deps, user, knownHash, await passwords.hash(newPassword))
      signIn.forget(user.id)
      reply.header('cache-control', 'no-store')
      return { success: true }
    },
  )
}
