import { Type } from 'typebox'
import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, Refused } from '../../errors.ts'
import { findWallet, insertWalletEntry } from '../wallet/sql.ts'
import { createShop } from './create-shop.ts'
import { existingShop } from './existing-shop.ts'
import { presentOfficialAccount, presentShop } from './present.ts'
import {
  createShopBody,
  linkOfficialAccountBody,
  officialAccountRecord,
  shopRecord,
  walletEntryBody,
} from './schema.ts'
import { listShops, upsertOfficialAccount } from './sql.ts'

const tags = ['Management']

/** The operator's shops, official accounts and wallets (G-61); the caller has been found to be the operator. */
export function shopRoutes(app: App, deps: Deps): void {
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
      const shopId = await existingShop(db, request.params)
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
      const shopId = await existingShop(db, request.params)
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

  function sealed(secret: string | undefined): Buffer | undefined {
    return secret === undefined ? undefined : secrets.seal(secret)
  }
}
