import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../../http/list-place.ts'
import { editOf, showVersion } from '../../../http/record-version.ts'
import { pathId } from '../../../http/validation/object-id.ts'
import { parseIsoInstant } from '../../../lib/time/dates.ts'
import { originOf } from '../../audit/origin.ts'
import { existingShop } from '../../shops/existing-shop.ts'
import type { Auth } from '../auth.ts'
import { changeKeyShare, issueKey, revokeKey, revokeKeysOf, rotateKey } from './change-keys.ts'
import { presentKey } from './present.ts'
import { createKeyBody, keyRecord, keysAnswer, keysQuery, rotateKeyBody, updateKeyBody } from './schema.ts'
import { findKey, listKeys } from './sql.ts'

const tags = ['Management']
const issued = Type.Object({ data: Type.Object({ key: keyRecord, apiKey: Type.String() }) })
const one = Type.Object({ data: Type.Object({ key: keyRecord }) })

/** The API keys of shops (G-60, G-61); the caller has been authenticated as the operator or an owner of the shop. */
export function keyRoutes(app: App, deps: Deps, auth: Auth): void {
  const { db, clock } = deps

  app.post(
    '/api/manage/v1/shops/:id/keys',
    {
      schema: {
        tags,
        operationId: 'issueKey',
        summary: 'Issue an API key; it is shown only once',
        body: createKeyBody,
        response: { 201: issued },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const { name, scopes, maxPerMinute = null } = request.body
      const expiresAt = futureInstant(request.body.expiresAt, clock.now())
      const { key, apiKey } = await db
        .transaction()
        .execute((trx) =>
          issueKey(deps, trx, shopId, { name, scopes, expiresAt, maxPerMinute }, originOf(request)),
        )
      return reply.code(201).send({ data: { key: presentKey(key), apiKey } })
    },
  )

  app.get(
    '/api/manage/v1/shops/:id/keys',
    {
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'List the API keys of a shop, newest first',
        querystring: keysQuery,
        response: { 200: keysAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const { page, limit } = request.query
      const place = readPlace(request.query, shopId, 'keys.createdAt.desc')
      const { keys, hasMore, last } = await listKeys(db, shopId, place.ids, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, keys.length, last) }
      return { data: keys.map(presentKey), meta }
    },
  )

  app.get(
    '/api/manage/v1/shops/:id/keys/:keyId',
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getKey',
        summary: 'Read an API key, without the key itself',
        response: { 200: one },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const key = await findKey(db, shopId, pathId(request.params, 'keyId'))
      if (key === undefined) throw new NotFound('key')
      showVersion(reply, key.version)
      return { data: { key: presentKey(key) } }
    },
  )

  app.patch(
    '/api/manage/v1/shops/:id/keys/:keyId',
    {
      schema: {
        tags,
        operationId: 'updateKey',
        summary: 'Change how many of the shop’s requests per minute an API key may use',
        body: updateKeyBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: one },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const keyId = pathId(request.params, 'keyId')
      const edit = editOf(request)
      const { maxPerMinute } = request.body
      const key = await changeKeyShare(deps, shopId, keyId, maxPerMinute, edit, originOf(request))
      auth.forget(shopId)
      showVersion(reply, key.version)
      return { data: { key: presentKey(key) } }
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/keys/:keyId/rotate',
    {
      schema: {
        tags,
        operationId: 'rotateKey',
        summary: 'Replace an API key; the old key keeps working during the overlap',
        description:
          'The new key has the name, scopes and share of the limit of the old one, and its expiry unless another is given.',
        body: rotateKeyBody,
        errors: ['KEY_ENDED'],
        response: { 201: issued },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const { overlapSeconds } = request.body
      const asked = { overlapSeconds, expiresAt: futureInstant(request.body.expiresAt, clock.now()) }
      const { key, apiKey } = await rotateKey(
        deps,
        shopId,
        pathId(request.params, 'keyId'),
        asked,
        originOf(request),
      )
      auth.forget(shopId)
      return reply.code(201).send({ data: { key: presentKey(key), apiKey } })
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/keys/:keyId',
    { schema: { tags, operationId: 'revokeKey', summary: 'Revoke an API key', response: { 200: one } } },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const key = await revokeKey(deps, shopId, pathId(request.params, 'keyId'), originOf(request))
      auth.forget(shopId)
      return { data: { key: presentKey(key) } }
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/members/:userId/keys',
    {
      schema: {
        tags,
        operationId: 'revokeKeysOfMember',
        summary: 'Revoke every API key that a person issued, even if the person has left the shop',
        response: { 200: Type.Object({ data: Type.Object({ keys: Type.Array(keyRecord) }) }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const keys = await revokeKeysOf(deps, shopId, pathId(request.params, 'userId'), originOf(request))
      auth.forget(shopId)
      return { data: { keys: keys.map(presentKey) } }
    },
  )
}

function futureInstant(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const instant = parseIsoInstant(text)
  if (instant === undefined) throw invalidField(['expiresAt'], 'date.instant')
  if (instant <= now) throw invalidField(['expiresAt'], 'date.future')
  return instant
}
