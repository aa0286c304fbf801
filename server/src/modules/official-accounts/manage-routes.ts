import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../http/list-place.ts'
import { editOf, showVersion } from '../../http/record-version.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { operatorOriginOf } from '../audit/origin.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { changeOfficialAccount, linkOfficialAccount, unlinkOfficialAccount } from './change-account.ts'
import { presentOfficialAccount } from './present.ts'
import {
  linkOfficialAccountBody,
  officialAccountRecord,
  officialAccountsAnswer,
  officialAccountsQuery,
  updateOfficialAccountBody,
} from './schema.ts'
import { listOfficialAccounts } from './sql.ts'

const tags = ['Management']
const one = Type.Object({ data: officialAccountRecord })

/** The official accounts of shops and their prices (G-61); the caller has been authenticated as the operator or an owner. */
export function officialAccountRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.post(
    '/api/manage/v1/shops/:id/official-accounts',
    {
      schema: {
        tags,
        operationId: 'linkShopOfficialAccount',
        summary: 'Link an official account; linking it again replaces its name and any credentials sent',
        body: linkOfficialAccountBody,
        response: { 201: one },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const row = await linkOfficialAccount(deps, shopId, request.body, operatorOriginOf(request))
      return reply.code(201).send({ data: presentOfficialAccount(row) })
    },
  )

  app.get(
    '/api/manage/v1/shops/:id/official-accounts',
    {
      schema: {
        tags,
        operationId: 'listShopOfficialAccounts',
        summary: 'List the official accounts of a shop',
        querystring: officialAccountsQuery,
        response: { 200: officialAccountsAnswer },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const { page, limit } = request.query
      const place = readPlace(request.query, shopId, 'officialAccounts.createdAt.asc.managed')
      const { accounts, hasMore, last } = await listOfficialAccounts(db, shopId, place.ids, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, accounts.length, last) }
      return { data: accounts.map(presentOfficialAccount), meta }
    },
  )

  app.patch(
    '/api/manage/v1/shops/:id/official-accounts/:accountId',
    {
      schema: {
        tags,
        operationId: 'updateShopOfficialAccount',
        summary: 'Change an official account: its name, app, prices, when it is charged, and credentials',
        body: updateOfficialAccountBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: one },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(db, request.params)
      const id = pathId(request.params, 'accountId')
      const row = await changeOfficialAccount(
        deps,
        shopId,
        id,
        request.body,
        operatorOriginOf(request),
        editOf(request),
      )
      showVersion(reply, row.version)
      return { data: presentOfficialAccount(row) }
    },
  )

  app.delete(
    '/api/manage/v1/shops/:id/official-accounts/:accountId',
    {
      schema: {
        tags,
        operationId: 'unlinkShopOfficialAccount',
        summary:
          'Unlink an official account; refused while messages wait to be sent with it or have no result yet',
        errors: ['OA_IN_USE'],
        response: { 200: one },
      },
    },
    async (request) => {
      const shopId = await existingShop(db, request.params)
      const row = await unlinkOfficialAccount(
        deps,
        shopId,
        pathId(request.params, 'accountId'),
        operatorOriginOf(request),
      )
      return { data: presentOfficialAccount(row) }
    },
  )
}
