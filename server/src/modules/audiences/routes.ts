import { Type } from 'typebox'
import { isUniqueViolation } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { readNear } from '../../http/reads/replica-reads.ts'
import { editOf, editorOf, showVersion } from '../../http/record-version.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { normalizeObjectId, type ObjectId } from '../../lib/object-id.ts'
import { changedOrGone } from '../concurrent-edits/assert-version.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { countAudience, listAudience } from './look-up.ts'
import { presentAudience, presentMember } from './present.ts'
import { comparableName, storedConditions } from './rules.ts'
import {
  audienceAnswer,
  audiencesAnswer,
  countAnswer,
  countAudienceBody,
  createAudienceBody,
  MAX_AUDIENCES,
  membersAnswer,
  membersQuery,
  updateAudienceBody,
} from './schema.ts'
import {
  deleteAudience,
  findAudience,
  insertAudience,
  listAudiences,
  NAME_CONSTRAINT,
  updateAudience,
} from './sql.ts'

const tags = ['Audiences']
const PATH = '/api/external/v1/audiences'

/** G-119: customers chosen by what they did, for batches. */
export function audienceRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  app.post(
    PATH,
    {
      schema: {
        tags,
        operationId: 'createAudience',
        summary: 'Save an audience under a name',
        description: `Its conditions are kept, not its customers. A shop can have at most ${MAX_AUDIENCES}.`,
        body: createAudienceBody,
        errors: ['AUDIENCE_NAME_TAKEN', 'TOO_MANY_AUDIENCES'],
        response: { 201: audienceAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const { name, match = 'all', conditions } = request.body
      const change = { by: editorOf(request), now: clock.now() }
      const made = { ...comparableName(name), match, conditions: storedConditions(conditions), ...change }
      const row = await idempotentCreate(request, ids, {
        find: (id) => findAudience(db, shopId, id),
        create: (id) =>
          db.transaction().execute(async (trx) => {
            const inserted = await insertAudience(trx, shopId, { ...made, id }, MAX_AUDIENCES)
            if (inserted === undefined) throw new Refused('TOO_MANY_AUDIENCES', { most: MAX_AUDIENCES })
            return inserted
          }),
      }).catch(nameTaken(made.name))
      return reply.code(201).send({ data: presentAudience(row) })
    },
  )

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listAudiences',
        summary: 'List audiences by name',
        response: { 200: audiencesAnswer },
      },
    },
    async (request) => ({
      data: (await listAudiences(db, request.shop.id, MAX_AUDIENCES)).map(presentAudience),
    }),
  )

  app.post(
    `${PATH}/count`,
    {
      schema: {
        tags,
        operationId: 'countAudience',
        summary: 'Count the customers who meet conditions',
        description:
          'One call looks at up to 100,000 customers. If `next` is not null, call again with it as `after`, and add up the counts.',
        body: countAudienceBody,
        response: { 200: countAnswer },
      },
    },
    async (request) => {
      const { match = 'all', conditions, after } = request.body
      const definition = { match, conditions: storedConditions(conditions) }
      return { data: await countAudience(db, request.shop.id, definition, placeOf(after), clock.now()) }
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getAudience',
        summary: 'Read an audience',
        response: { 200: audienceAnswer },
      },
    },
    async (request, reply) => {
      const row = await existing(request.shop.id, pathId(request.params))
      showVersion(reply, row.version)
      return { data: presentAudience(row) }
    },
  )

  app.get(
    `${PATH}/:id/customers`,
    {
      schema: {
        tags,
        operationId: 'readAudienceCustomers',
        summary: 'List the current customers of an audience',
        description:
          'Customers with a phone number, in the order of their ids, so that none appears twice. One call looks at up to 10,000 customers, so a page before the last may have few customers or none.',
        querystring: membersQuery,
        response: { 200: membersAnswer },
      },
    },
    async (request) => {
      const shopId = request.shop.id
      const { after, limit } = request.query
      const row = await existing(shopId, pathId(request.params))
      const { members, next } = await readNear(request, db, (near) =>
        listAudience(near, shopId, row, { after: placeOf(after), limit }, clock.now()),
      )
      return { data: { customers: members.map(presentMember), next } }
    },
  )

  app.patch(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'updateAudience',
        summary: 'Rename an audience, or change its conditions',
        body: updateAudienceBody,
        errors: ['AUDIENCE_NAME_TAKEN', 'RECORD_CHANGED'],
        response: { 200: audienceAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      const edit = editOf(request)
      const { name, match, conditions } = request.body
      const fields = {
        ...(name !== undefined && comparableName(name)),
        ...(match !== undefined && { match }),
        ...(conditions !== undefined && { conditions: storedConditions(conditions) }),
      }
      const change = { ...fields, by: edit.by, now: clock.now() }
      const row = await updateAudience(db, shopId, id, change, edit).catch(nameTaken(name ?? ''))
      if (row === undefined) throw await changedOrGone(db, shopId, 'audiences', id, 'audience')
      showVersion(reply, row.version)
      return { data: presentAudience(row) }
    },
  )

  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'deleteAudience',
        summary: 'Delete an audience',
        description: 'Its customers and the messages sent to them are kept.',
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
    },
    async (request) => {
      const isGone = await deleteAudience(db, request.shop.id, pathId(request.params))
      if (!isGone) throw new NotFound('audience')
      return { success: true }
    },
  )

  async function existing(shopId: ObjectId, id: ObjectId) {
    const row = await findAudience(db, shopId, id)
    if (row === undefined) throw new NotFound('audience')
    return row
  }
}

/** Before every id. */
function placeOf(after: string | undefined): ObjectId {
  return after === undefined ? '' : normalizeObjectId(after)
}

function nameTaken(name: string) {
  return (error: unknown): never => {
    throw isUniqueViolation(error, NAME_CONSTRAINT) ? new Refused('AUDIENCE_NAME_TAKEN', { name }) : error
  }
}
