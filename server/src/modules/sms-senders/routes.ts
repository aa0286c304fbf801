import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { operatorOriginOf } from '../audit/origin.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { presentSmsSender } from './present.ts'
import { setSmsSenderBody, smsSenderRecord } from './schema.ts'
import { removeSmsSender, setSmsSender } from './set-sender.ts'
import { findSmsSender } from './sql.ts'

const tags = ['Management']
const PATH = '/api/manage/v1/shops/:id/sms'

/** The SMS sender of a shop (G-90); the caller is known to be the operator. */
export function smsSenderRoutes(app: App, deps: Deps): void {
  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'getSms',
        summary: 'Read a shop’s SMS sender',
        response: { 200: Type.Object({ data: Type.Union([smsSenderRecord, Type.Null()]) }) },
      },
    },
    async (request) => {
      const row = await findSmsSender(deps.db, await existingShop(deps.db, request.params))
      return { data: row === undefined ? null : presentSmsSender(row) }
    },
  )

  app.put(
    PATH,
    {
      schema: {
        tags,
        operationId: 'setSms',
        summary: 'Set a shop’s SMS sender, and what the shop pays for one SMS',
        body: setSmsSenderBody,
        response: { 200: Type.Object({ data: smsSenderRecord }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(deps.db, request.params)
      const row = await setSmsSender(deps, shopId, request.body, operatorOriginOf(request))
      return { data: presentSmsSender(row) }
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        tags,
        operationId: 'removeSms',
        summary: 'Remove a shop’s SMS sender; waiting SMS end unsent, and their fees are released',
        response: { 200: Type.Object({ data: smsSenderRecord }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(deps.db, request.params)
      return { data: presentSmsSender(await removeSmsSender(deps, shopId, operatorOriginOf(request))) }
    },
  )
}
