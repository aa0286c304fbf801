import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound, Refused, Unauthorized } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import type { GuessLimits } from '../../../http/limits/guess-limits.ts'
import { isSameSite } from '../../../http/same-site.ts'
import type { MemberAuth } from '../member-auth.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import { endOfVisit, oldestVisit } from '../visits/rules.ts'
import { listVisits } from '../visits/sql.ts'
import { acceptanceStepOf, acceptInvitation, type Invited } from './change-members.ts'
import { findInvitation, type LinkedInvitation } from './invitations-sql.ts'
import { presentOwnShop } from './present.ts'
import { hashInvitation } from './rules.ts'
import { acceptBody, meAnswer, openInvitationAnswer } from './schema.ts'
import { listShopsOfUser } from './sql.ts'

const tags = ['Console']

/** What the console needs besides the API: who is signed in, and accepting an invitation. */
export function consoleRoutes(
  app: App,
  deps: Deps,
  signIn: SignIn,
  memberAuth: MemberAuth,
  limits: GuessLimits,
): void {
  const { db, clock, config, passwords } = deps

  async function openInvitation(request: FastifyRequest, reply: FastifyReply): Promise<LinkedInvitation> {
    const invitation = await findInvitation(db, hashInvitation(tokenOf(request.params)), clock.now())
    if (invitation?.is_open) return invitation
    await limits.countGuess(request, reply)
    throw new NotFound('invitation')
  }

  /** The person who accepts the invitation; the slow password hash comes last. */
  async function invitedBy(
    request: FastifyRequest,
    reply: FastifyReply,
    invitation: LinkedInvitation,
    { name, password }: { name?: string; password?: string },
  ): Promise<Invited> {
    const step = acceptanceStepOf(invitation)
    if (step === 'prove-first') throw new Refused('ADDRESS_NOT_PROVED')
    if (step === 'sign-in') {
      const user = await signIn.userOf(request, true)
      if (user === undefined) throw new Unauthorized('session')
      if (!isSameSite(request, config.publicUrl)) throw new Refused('CROSS_SITE_REQUEST')
      if (user.email !== invitation.email) throw new Refused('INVITATION_FOR_ANOTHER', { email: user.email })
      return { userId: user.id, name: undefined, passwordHash: undefined }
    }
    if (name === undefined) throw invalidField(['name'], 'any.required')
    if (password === undefined) throw invalidField(['password'], 'any.required')
    await limits.countHash(request, reply)
    return { userId: undefined, name, passwordHash: await passwords.hash(password) }
  }

  app.get(
    '/api/console/v1/me',
    {
      schema: {
        tags,
        operationId: 'getSignedInUser',
        summary: 'Read the signed-in person and their shops',
        errors: [401],
        response: { 200: meAnswer },
      },
    },
    async (request) => {
      const user = await signIn.userOf(request)
      if (user === undefined) throw new Unauthorized('session')
      const now = clock.now()
      const [own, visits] = await Promise.all([
        listShopsOfUser(db, user.id),
        user.isOperator ? listVisits(db, user.id, oldestVisit(now)) : [],
      ])
      const shops = [
        ...own.map((shop) => ({ ...shop, visitUntil: null })),
        ...visits
          .filter(({ id }) => own.every((shop) => shop.id !== id))
          .map(({ since, ...shop }) => ({
            ...shop,
            role: 'viewer' as const,
            visitUntil: endOfVisit(since).toISOString(),
          })),
      ]
      return {
        data: {
          user: { _id: user.id, name: user.name, email: user.email, isOperator: user.isOperator },
          operatorContact: config.operatorContact ?? null,
          shops: shops.map(presentOwnShop),
        },
      }
    },
  )

  app.get(
    '/api/console/v1/invitations/:token',
    {
      schema: {
        tags,
        operationId: 'getInvitation',
        summary: 'Read what an invitation link is for',
        errors: [429],
        response: { 200: openInvitationAnswer },
      },
    },
    async (request, reply) => {
      const invitation = await openInvitation(request, reply)
      const { shop_name: shopName, email, role } = invitation
      const step = acceptanceStepOf(invitation)
      return {
        data: {
          shopName,
          email,
          role,
          hasAccount: step !== 'new-account',
          mustProve: step === 'prove-first',
        },
      }
    },
  )

  app.post(
    '/api/console/v1/invitations/:token/accept',
    {
      schema: {
        tags,
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation with a name and password or, if `hasAccount`, as the signed-in person',
        body: acceptBody,
        errors: [
          401,
          429,
          'CROSS_SITE_REQUEST',
          'ADDRESS_NOT_PROVED',
          'INVITATION_FOR_ANOTHER',
          'ROLE_HIGHER',
        ],
        response: { 201: Type.Object({ data: Type.Object({ email: Type.String() }) }) },
      },
    },
    async (request, reply) => {
      const invitation = await openInvitation(request, reply)
      const invited = await invitedBy(request, reply, invitation, request.body)
      const from = { requestId: request.id, address: request.ip }
      const { userId, email } = await acceptInvitation(deps, tokenOf(request.params), invited, from)
      signIn.forget(userId)
      memberAuth.forget(userId)
      return reply.code(201).send({ data: { email } })
    },
  )
}

function tokenOf(params: unknown): string {
  return (params as { token: string }).token
}
