import { Type } from 'typebox'
import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound, Refused } from '../../errors.ts'
import type { Auth } from '../../http/auth.ts'
import { objectId } from '../../http/object-id.ts'
import { parseIsoInstant } from '../../lib/dates.ts'
import { presentKey } from '../keys/present.ts'
import { hashApiKey, keyPrefix, newApiKey } from '../keys/rules.ts'
import { insertKey, revokeKey } from '../keys/sql.ts'
import { findWallet, insertWalletEntry } from '../wallet/sql.ts'
import { createShop } from './create-shop.ts'
import { presentOfficialAccount, presentShop } from './present.ts'
import {
  createKeyBody,
  createShopBody,
  keyRecord,
  linkOfficialAccountBody,
  officialAccountRecord,
  shopRecord,
  walletEntryBody,
} from './schema.ts'
import { findShop, listShops, upsertOfficialAccount } from './sql.ts'

const tags = ['Management']

/** The operator's API (G-61); the caller has been found to be the operator. */
export function manageRoutes(app: App, deps: Deps, auth: Auth): void {
  const { db, clock, ids, secrets } = deps

  app.post(
    '/api/manage/v1/shops',
    {
      schema: {
        tags,
        summary: 'Create a shop with its first API key',
        body: createShopBody,
        response: { 201: Type.Object({ data: Type.Object({ shop: shopRecord, apiKey: Type.String() }) }) },
      },
    },
    async (request, reply) => {
      const { shop, apiKey } = await createShop(deps, request.body)
      return reply.code(201).send({ data: { shop: presentShop(shop), apiKey } })
    },
  )

  app.get(
    '/api/manage/v1/shops',
    {
      schema: {
        tags,
        summary: 'List the shops, newest first',
        response: { 200: Type.Object({ data: Type.Array(shopRecord) }) },
      },
    },
    async () => ({ data: (await listShops(db)).map(presentShop) }),
  )

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
      const shopId = await existingShop(request.params)
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
      const shopId = await existingShop(request.params)
      const { keyId } = request.params as { keyId: string }
      const row = await revokeKey(db, shopId, objectId(keyId, 'keyId'), clock.now())
      if (row === undefined) throw new NotFound('key')
      auth.forget(shopId)
      return { data: { key: presentKey(row) } }
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/official-accounts',
    {
      schema: {
        tags,
        summary: 'Link an official account; linking it again replaces its name and the credentials given',
        body: linkOfficialAccountBody,
        response: { 201: Type.Object({ data: officialAccountRecord }) },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(request.params)
      const { oaId, name, appId, secretKey, accessToken, refreshToken } = request.body
      const row = await upsertOfficialAccount(db, shopId, {
        id: ids.next(),
        oaId,
        name,
        appId,
        secretKey: sealed(secretKey),
        accessToken: sealed(accessToken),
        refreshToken: sealed(refreshToken),
        now: clock.now(),
      })
      return reply.code(201).send({ data: presentOfficialAccount(row) })
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/wallet/entries',
    {
      schema: {
        tags,
        summary: 'Top a wallet up, or correct it with a negative amount',
        body: walletEntryBody,
        response: {
          201: Type.Object({ data: Type.Object({ balance: Type.Number(), held: Type.Number() }) }),
        },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(request.params)
      const { amount, note } = request.body
      if (amount === 0) throw invalidField(['amount'], 'must not be 0')
      const wallet = await insertWalletEntry(db, shopId, { id: ids.next(), amount, note, now: clock.now() })
      if (wallet === undefined) {
        const { balance } = (await findWallet(db, shopId))!
        throw new Refused('WALLET_BELOW_ZERO', { balance, amount })
      }
      return reply.code(201).send({ data: { balance: wallet.balance, held: wallet.held } })
    },
  )

  async function existingShop(params: unknown): Promise<string> {
    const shopId = objectId((params as { id: string }).id, 'id')
    if ((await findShop(db, shopId)) === undefined) throw new NotFound('shop')
    return shopId
  }

  function sealed(secret: string | undefined): Buffer | undefined {
    return secret === undefined ? undefined : secrets.seal(secret)
  }
}

function futureInstant(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const instant = parseIsoInstant(text)
  if (instant === undefined) throw invalidField(['expiresAt'], 'must be an ISO 8601 date or time')
  if (instant <= now) throw invalidField(['expiresAt'], 'must be in the future')
  return instant
}
