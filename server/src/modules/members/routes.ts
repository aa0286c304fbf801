import { Type } from 'typebox'
import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { MemberAuth } from '../../http/member-auth.ts'
import { pathId } from '../../http/object-id.ts'
import { originOf } from '../../http/origin.ts'
import type { SignIn } from '../../http/sign-in.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { changeMember, inviteMember, revokeInvitation } from './change-members.ts'
import { presentInvitation, presentMember } from './present.ts'
import { normalEmail } from './rules.ts'
import {
  invitationBody,
  invitationRecord,
  memberBody,
  memberRecord,
  operatorBody,
  resetLinkBody,
} from './schema.ts'
import { findUserByEmail, insertUser, listMembers, listOpenInvitations, updateIsOperator } from './sql.ts'

const tags = ['Management']
const link = Type.Object({
  data: Type.Object({ link: Type.String({ description: 'A path of the console, good once, for a day' }) }),
})

/** People and what they may do (G-61): a shop's owner sees to the members, the operator's token to operators. */
export function memberRoutes(app: App, deps: Deps, signIn: SignIn, memberAuth: MemberAuth): void {
  const { db, ids, clock } = deps

  app.get(
    '/api/manage/v1/shops/:id/members',
    {
      schema: {
        tags,
        summary: 'List the members of a shop and the open invitations',
        response: {
          200: Type.Object({
            data: Type.Object({
              members: Type.Array(memberRecord),
              invitations: Type.Array(invitationRecord),
            }),
          }),
        },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const members = await listMembers(db, shopId)
      const invitations = await listOpenInvitations(db, shopId, clock.now())
      return {
        data: { members: members.map(presentMember), invitations: invitations.map(presentInvitation) },
      }
    },
  )

  app.patch(
    '/api/manage/v1/shops/:id/members/:userId',
    {
      schema: {
        tags,
        summary: 'Give a member another role',
        body: memberBody,
        response: { 200: Type.Object({ data: Type.Object({ member: memberRecord }) }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const userId = pathId(request.params, 'userId')
      const member = await changeMember(deps, shopId, userId, request.body.role, originOf(request))
      memberAuth.forget(userId)
      return { data: { member: presentMember(member) } }
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/members/:userId',
    {
      schema: {
        tags,
        summary: 'Remove a member from a shop',
        response: { 200: Type.Object({ data: Type.Object({ member: memberRecord }) }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const userId = pathId(request.params, 'userId')
      const member = await changeMember(deps, shopId, userId, undefined, originOf(request))
      memberAuth.forget(userId)
      return { data: { member: presentMember(member) } }
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/invitations',
    {
      schema: {
        tags,
        summary: 'Invite somebody into a shop; the link is shown here and never again',
        body: invitationBody,
        response: {
          201: Type.Object({ data: Type.Object({ invitation: invitationRecord, link: Type.String() }) }),
        },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const { invitation, token } = await inviteMember(deps, shopId, request.body, originOf(request))
      return reply
        .code(201)
        .send({ data: { invitation: presentInvitation(invitation), link: `/invitation?token=${token}` } })
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/invitations/:invitationId',
    {
      schema: {
        tags,
        summary: 'Take an invitation back',
        response: { 200: Type.Object({ data: Type.Object({ invitation: invitationRecord }) }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const id = pathId(request.params, 'invitationId')
      const invitation = await revokeInvitation(deps, shopId, id, originOf(request))
      return { data: { invitation: presentInvitation(invitation) } }
    },
  )

  app.post(
    '/api/manage/v1/operators',
    {
      schema: {
        tags,
        summary: 'Make somebody an operator; the link sets their password',
        body: operatorBody,
        response: { 201: link },
      },
    },
    async (request, reply) => {
      const email = normalEmail(request.body.email)
      const now = clock.now()
      const known = await findUserByEmail(db, email)
      const userId = known?.id ?? ids.next()
      if (known !== undefined) await updateIsOperator(db, userId, true, now)
      else {
        // Nobody knows this password: the link sets one.
        const passwordHash = await signIn.hashPassword(ids.next() + ids.next())
        const person = { id: userId, name: request.body.name, email, isOperator: true, now }
        await insertUser(db, person, { id: ids.next(), passwordHash })
      }
      const token = await signIn.createResetToken(userId)
      return reply.code(201).send({ data: { link: `/reset-password?token=${token}` } })
    },
  )

  app.post(
    '/api/manage/v1/reset-links',
    {
      schema: {
        tags,
        summary: 'A link with which a person sets a new password, to hand over',
        body: resetLinkBody,
        response: { 201: link },
      },
    },
    async (request, reply) => {
      const user = await findUserByEmail(db, normalEmail(request.body.email))
      if (user === undefined) throw new NotFound('user')
      const token = await signIn.createResetToken(user.id)
      return reply.code(201).send({ data: { link: `/reset-password?token=${token}` } })
    },
  )
}
