import { Type } from 'typebox'
import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Unauthorized } from '../../errors.ts'
import type { SignIn } from '../../http/sign-in.ts'
import { acceptInvitation } from './change-members.ts'
import { hashInvitation } from './rules.ts'
import { acceptBody, meAnswer, openInvitationAnswer } from './schema.ts'
import { findInvitation, listShopsOfUser } from './sql.ts'

const tags = ['Console']

/** What the console needs beside the API: who is signed in, and the way in by an invitation. */
export function consoleRoutes(app: App, deps: Deps, signIn: SignIn): void {
  const { db, clock } = deps

  async function openInvitation(token: string) {
    const invitation = await findInvitation(db, hashInvitation(token))
    const isGone =
      invitation === undefined || invitation.accepted_at !== null || invitation.revoked_at !== null
    if (isGone || invitation.expires_at <= clock.now()) throw new NotFound('invitation')
    return invitation
  }

  app.get(
    '/api/console/v1/me',
    { schema: { tags, summary: 'Who is signed in, and their shops', response: { 200: meAnswer } } },
    async (request) => {
      const user = await signIn.userOf(request)
      if (user === undefined) throw new Unauthorized('session')
      const shops = await listShopsOfUser(db, user.id)
      return {
        data: {
          user: { _id: user.id, name: user.name, email: user.email, isOperator: user.isOperator },
          shops: shops.map(({ id, name, role, language }) => ({ _id: id, name, role, language })),
        },
      }
    },
  )

  app.get(
    '/api/console/v1/invitations/:token',
    {
      schema: {
        tags,
        summary: 'What an invitation’s link is for',
        response: { 200: openInvitationAnswer },
      },
    },
    async (request) => {
      const invitation = await openInvitation(tokenOf(request.params))
      const { shop_name: shopName, email, role, has_account: hasAccount } = invitation
      return { data: { shopName, email, role, hasAccount } }
    },
  )

  app.post(
    '/api/console/v1/invitations/:token/accept',
    {
      schema: {
        tags,
        summary: 'Take an invitation',
        body: acceptBody,
        response: { 201: Type.Object({ data: Type.Object({ email: Type.String() }) }) },
      },
    },
    async (request, reply) => {
      const { name, password } = request.body
      // Before the password's slow hash, which must not be had for any made-up link.
      await openInvitation(tokenOf(request.params))
      const passwordHash = password === undefined ? undefined : await signIn.hashPassword(password)
      const from = { requestId: request.id, address: request.ip }
      const accepted = await acceptInvitation(deps, tokenOf(request.params), { name, passwordHash }, from)
      return reply.code(201).send({ data: accepted })
    },
  )
}

function tokenOf(params: unknown): string {
  return (params as { token: string }).token
}
