import { Type } from 'typebox'
import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound } from '../../errors.ts'
import type { Auth } from '../../http/auth.ts'
import { objectId } from '../../http/object-id.ts'
import { parseIsoInstant } from '../../lib/dates.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { presentKey } from './present.ts'
import { hashApiKey, keyPrefix, newApiKey } from './rules.ts'
import { createKeyBody, keyRecord } from './schema.ts'
import { insertKey, revokeKey } from './sql.ts'

const tags = ['Management']

/** The API keys of shops (G-60, G-61); the caller has been found to be the operator. */
export function keyRoutes(app: App, deps: Deps, auth: Auth): void {
  const { db, clock, ids } = deps

  app.post(
    '/api/manage/v1/shops/:id/keys',
    {
      schema: {
        tags,
        summary: 'Issue an API key; it is shown here and never again',
        body: createKeyBody,
        response: { 201: Type.Object({ data: Type.Object({ key: keyRecord, apiKey: Type.String() }) }) },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const expiresAt = futureInstant(request.body.expiresAt, clock.now())
      const apiKey = newApiKey()
      const row = await insertKey(db, shopId, {
        id: ids.next(),
        name: request.body.name,
        prefix: keyPrefix(apiKey),
        hash: hashApiKey(apiKey),
        expiresAt,
        now: clock.now(),
      })
      return reply.code(201).send({ data: { key: presentKey(row), apiKey } })
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/keys/:keyId',
    {
      schema: {
        tags,
        summary: 'Revoke an API key',
        response: { 200: Type.Object({ data: Type.Object({ key: keyRecord }) }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const { keyId } = request.params as { keyId: string }
      const row = await revokeKey(db, shopId, objectId(keyId, 'keyId'), clock.now())
      if (row === undefined) throw new NotFound('key')
      auth.forget(shopId)
      return { data: { key: presentKey(row) } }
    },
  )
}

function futureInstant(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const instant = parseIsoInstant(text)
  if (instant === undefined) throw invalidField(['expiresAt'], 'must be an ISO 8601 date or time')
  if (instant <= now) throw invalidField(['expiresAt'], 'must be in the future')
  return instant
}
