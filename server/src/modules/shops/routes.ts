import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { ALL_SHOPS, cursorMeta, isTextKey, readPlace } from '../../http/list-place.ts'
import { editOf, showVersion } from '../../http/record-version.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { searchWords } from '../../lib/text/search-pattern.ts'
import type { Auth } from '../access/auth.ts'
import { originOf } from '../audit/origin.ts'
import { type Idempotency, idempotencyHeader, idempotentCreate } from '../idempotency/hook.ts'
import { changeWallet } from '../wallet/change-wallet.ts'
import { findWallet, findWalletOfEntry } from '../wallet/sql.ts'
import { createShop } from './create-shop.ts'
import { existingShop } from './existing-shop.ts'
import { presentListedShop, presentShop } from './present.ts'
import {
  createShopBody,
  shopRecord,
  shopsAnswer,
  shopsQuery,
  updateShopBody,
  walletEntryBody,
} from './schema.ts'
import { findShop, listShops } from './sql.ts'
import { updateShop } from './update-shop.ts'

const tags = ['Management']
const walletAnswer = Type.Object({ data: Type.Object({ balance: Type.Number(), held: Type.Number() }) })
const one = Type.Object({ data: Type.Object({ shop: shopRecord }) })

/** The operator's shops and wallets (G-61); the caller is known to be the operator. */
export function shopRoutes(app: App, deps: Deps, auth: Auth, idempotency: Idempotency): void {
  const { db, ids, clock } = deps

  app.post(
    '/api/manage/v1/shops',
    {
      schema: {
        tags,
        operationId: 'createShop',
        summary: 'Create a shop with its first API key',
        body: createShopBody,
        response: { 201: Type.Object({ data: Type.Object({ shop: shopRecord, apiKey: Type.String() }) }) },
      },
    },
    async (request, reply) => {
      const { shop, apiKey } = await createShop(deps, request.body, originOf(request))
      return reply.code(201).send({ data: { shop: presentShop(shop), apiKey } })
    },
  )

  app.get(
    '/api/manage/v1/shops',
    {
      schema: {
        tags,
        operationId: 'listShops',
        summary: 'List the shops, each with its wallet, its activity and its health',
        querystring: shopsQuery,
        response: { 200: shopsAnswer },
      },
    },
    async (request) => {
      const { page, limit, search, sortBy } = request.query
      const order = {
        createdAt: 'shops.createdAt.desc',
        name: 'shops.name.asc',
        balance: 'shops.balance.asc',
      }[sortBy]
      const place = readPlace(request.query, ALL_SHOPS, order, sortBy === 'name' ? isTextKey : undefined)
      const filter = { words: searchWords(search ?? ''), ids: place.ids, by: sortBy, now: clock.now() }
      const { shops, hasMore, last } = await listShops(db, filter, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, shops.length, last) }
      return { data: shops.map(presentListedShop), meta }
    },
  )

  app.get(
    '/api/manage/v1/shops/:id',
    {
      config: { showsVersion: true },
      schema: { tags, operationId: 'getShop', summary: 'Read a shop', response: { 200: one } },
    },
    async (request, reply) => {
      const shop = await findShop(db, pathId(request.params))
      if (shop === undefined) throw new NotFound('shop')
      showVersion(reply, shop.version)
      return { data: { shop: presentShop(shop) } }
    },
  )

  app.patch(
    '/api/manage/v1/shops/:id',
    {
      schema: {
        tags,
        operationId: 'updateShop',
        summary: 'Change the settings of a shop',
        description: 'Other processes use the new settings within 5 s.',
        body: updateShopBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: one },
      },
    },
    async (request, reply) => {
      const shopId = pathId(request.params)
      const shop = await updateShop(deps, shopId, request.body, originOf(request), editOf(request))
      auth.forget(shopId)
      showVersion(reply, shop.version)
      return { data: { shop: presentShop(shop) } }
    },
  )

  app.get(
    '/api/manage/v1/shops/:id/wallet',
    {
      schema: {
        tags,
        operationId: 'getShopWallet',
        summary: 'Read the wallet of a shop',
        response: { 200: walletAnswer },
      },
    },
    async (request) => {
      const wallet = await findWallet(db, await existingShop(db, request.params))
      return { data: { balance: wallet!.balance, held: wallet!.held } }
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/wallet/entries',
    {
      preValidation: idempotency.checkKey,
      // An idempotency key belongs to a shop: if there is no such shop, nothing may be stored.
      preHandler: [async (request) => void (await existingShop(db, request.params)), idempotency.claim],
      onSend: idempotency.finish,
      schema: {
        tags,
        operationId: 'createShopWalletEntry',
        summary: 'Top up or correct a wallet',
        headers: idempotencyHeader,
        body: walletEntryBody,
        errors: ['WALLET_BELOW_ZERO'],
        response: { 201: walletAnswer },
      },
    },
    async (request, reply) => {
      const shopId = pathId(request.params)
      const { amount, note } = request.body
      if (amount === 0) throw invalidField(['amount'], 'amount.notZero')
      const type = request.body.type ?? (amount > 0 ? 'top_up' : 'correction')
      if (type === 'top_up' && amount < 0) throw invalidField(['amount'], 'amount.topUp')
      const wallet = await idempotentCreate(request, ids, {
        find: (entryId) => findWalletOfEntry(db, shopId, entryId),
        create: (entryId) => changeWallet(deps, shopId, { entryId, type, amount, note }, originOf(request)),
      })
      return reply.code(201).send({ data: { balance: wallet.balance, held: wallet.held } })
    },
  )
}
