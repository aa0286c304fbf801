import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { ALL_SHOPS, cursorMeta, isTextKey, readPlace } from '../../../http/list-place.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { operatorOriginOf } from '../../audit/origin.ts'
import type { MemberAuth } from '../member-auth.ts'
import { presentOperator } from '../members/present.ts'
import { normalEmail } from '../members/rules.ts'
import {
  membersQuery,
  operatorBody,
  operatorRecord,
  operatorsAnswer,
  resetLinkBody,
} from '../members/schema.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import { findUserByEmail, listOperators } from '../users-sql.ts'
import { makeOperator, recordResetLink, removeOperator } from './change-operators.ts'

const tags = ['Management']
const link = Type.Object({
  data: Type.Object({ link: Type.String({ description: 'A path in the console, valid once, for one day' }) }),
})

/** Operators, and links that set a person's password (G-61); the caller has been authenticated as the operator. */
export function operatorRoutes(app: App, deps: Deps, signIn: SignIn, memberAuth: MemberAuth): void {
  const { db } = deps

  const forget = (userId: ObjectId) => {
    signIn.forget(userId)
    memberAuth.forget(userId)
  }

  const linkFor = async (userId: string) => {
    const token = await signIn.createResetToken(userId)
    return { data: { link: `/reset-password?token=${token}` } }
  }

  app.get(
    '/api/manage/v1/operators',
    {
      schema: {
        tags,
        operationId: 'listOperators',
        summary: 'List the operators, ordered by email',
        querystring: membersQuery,
        response: { 200: operatorsAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const place = readPlace(request.query, ALL_SHOPS, 'operators.email.asc', isTextKey)
      const { operators, hasMore, last } = await listOperators(db, place.ids, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, operators.length, last) }
      return { data: operators.map(presentOperator), meta }
    },
  )

  app.post(
    '/api/manage/v1/operators',
    {
      schema: {
        tags,
        operationId: 'createOperator',
        summary:
          'Make a person an operator; their sessions and password end, and the link sets a new password',
        body: operatorBody,
        response: { 201: link },
      },
    },
    async (request, reply) => {
      const email = normalEmail(request.body.email)
      const origin = operatorOriginOf(request)
      const id = await makeOperator(deps, { email, name: request.body.name }, origin)
      forget(id)
      await recordResetLink(deps, { id, email }, origin)
      return reply.code(201).send(await linkFor(id))
    },
  )

  app.delete(
    '/api/manage/v1/operators/:userId',
    {
      schema: {
        tags,
        operationId: 'removeOperator',
        summary: 'Remove operator access; the person keeps their shops',
        response: { 200: Type.Object({ data: Type.Object({ operator: operatorRecord }) }) },
      },
    },
    async (request) => {
      const userId = pathId(request.params, 'userId')
      const operator = await removeOperator(deps, userId, operatorOriginOf(request))
      forget(userId)
      return { data: { operator: presentOperator(operator) } }
    },
  )

  app.post(
    '/api/manage/v1/reset-links',
    {
      schema: {
        tags,
        operationId: 'createResetLink',
        summary: 'Create a password reset link',
        body: resetLinkBody,
        errors: [404],
        response: { 201: link },
      },
    },
    async (request, reply) => {
      const user = await findUserByEmail(db, normalEmail(request.body.email))
      if (user === undefined) throw new NotFound('user')
      await recordResetLink(deps, user, operatorOriginOf(request))
      return reply.code(201).send(await linkFor(user.id))
    },
  )
}
