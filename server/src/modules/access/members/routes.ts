import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../../http/list-place.ts'
import { editOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { OWN_EDIT } from '../../../lib/edit.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { originOf } from '../../audit/origin.ts'
import { existingShop } from '../../shops/existing-shop.ts'
import { findShop } from '../../shops/sql.ts'
import { listUsableKeysOf } from '../keys/sql.ts'
import { mailer } from '../mail.ts'
import type { MemberAuth } from '../member-auth.ts'
import { changeMember, inviteMember, revokeInvitation } from './change-members.ts'
import { listOpenInvitations } from './invitations-sql.ts'
import { presentInvitation, presentIssuedKey, presentMember } from './present.ts'
import {
  invitationBody,
  invitationRecord,
  issuedKeyRecord,
  memberBody,
  memberRecord,
  membersAnswer,
  membersQuery,
} from './schema.ts'
import { listMembers } from './sql.ts'

const tags = ['Management']
const changedMember = Type.Object({
  data: Type.Object({ member: memberRecord, keys: Type.Array(issuedKeyRecord) }),
})

/** People and what they may do in a shop (G-61); the caller has been authenticated as its owner or the operator. */
export function memberRoutes(app: App, deps: Deps, memberAuth: MemberAuth): void {
  const { db, clock } = deps
  const sendMail = mailer(deps)

  async function usableKeysOf(shopId: ObjectId, userId: ObjectId) {
    const keys = await listUsableKeysOf(db, shopId, userId, clock.now())
    return keys.map(presentIssuedKey)
  }

  app.get(
    '/api/manage/v1/shops/:id/members',
    {
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'List the members of a shop and its pending invitations',
        querystring: membersQuery,
        response: { 200: membersAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const { page, limit } = request.query
      const place = readPlace(request.query, shopId, 'members.createdAt.asc')
      const { members, hasMore, last } = await listMembers(db, shopId, place.ids, place)
      const isFirst = place.ids === undefined && place.after === undefined && place.offset === 0
      const invitations = isFirst ? await listOpenInvitations(db, shopId, clock.now()) : []
      return {
        data: {
          members: members.map(presentMember),
          invitations: invitations.map(presentInvitation),
          meta: { page, limit, hasMore, ...cursorMeta(place, members.length, last) },
        },
      }
    },
  )

  app.patch(
    '/api/manage/v1/shops/:id/members/:userId',
    {
      schema: {
        tags,
        operationId: 'updateMember',
        summary:
          'Change a member’s role; the keys that someone who is not an owner any more issued are listed',
        body: memberBody,
        errors: ['LAST_OWNER', 'RECORD_CHANGED'],
        response: { 200: changedMember },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const userId = pathId(request.params, 'userId')
      const edit = editOf(request)
      const member = await changeMember(deps, shopId, userId, request.body.role, edit, originOf(request))
      memberAuth.forget(userId)
      showVersion(reply, member.version)
      const keys = member.role === 'owner' ? [] : await usableKeysOf(shopId, userId)
      return { data: { member: presentMember(member), keys } }
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/members/:userId',
    {
      schema: {
        tags,
        operationId: 'removeMember',
        summary:
          'Remove a member from a shop; their pending invitations end, and the keys they issued are listed',
        errors: ['LAST_OWNER'],
        response: { 200: changedMember },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const userId = pathId(request.params, 'userId')
      const member = await changeMember(deps, shopId, userId, undefined, OWN_EDIT, originOf(request))
      memberAuth.forget(userId)
      return { data: { member: presentMember(member), keys: await usableKeysOf(shopId, userId) } }
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/invitations',
    {
      schema: {
        tags,
        operationId: 'createInvitation',
        summary: 'Invite a person to a shop; the link is shown only once, or emailed if SMTP is configured',
        description:
          'With SMTP the link goes only to the invited address, and `link` is null unless the operator invites.',
        body: invitationBody,
        errors: ['ALREADY_MEMBER', 'TOO_MANY_INVITATIONS'],
        response: {
          201: Type.Object({
            data: Type.Object({
              invitation: invitationRecord,
              link: Type.Union([Type.String(), Type.Null()]),
            }),
          }),
        },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      // An owner who sees the link could register the address before its person does (0017).
      const isShown = request.isOperator || sendMail === undefined
      const asked = { ...request.body, provesAddress: request.isOperator || sendMail !== undefined }
      const { invitation, token } = await inviteMember(deps, shopId, asked, originOf(request))
      const path = `/invitation?token=${token}`
      sendMail?.(async () => {
        const { name, language } = (await findShop(db, shopId))!
        return { kind: 'invitation', to: invitation.email, language, path, values: { shop: name } }
      })
      return reply
        .code(201)
        .send({ data: { invitation: presentInvitation(invitation), link: isShown ? path : null } })
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/invitations/:invitationId',
    {
      schema: {
        tags,
        operationId: 'revokeInvitation',
        summary: 'Revoke an invitation',
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
}
