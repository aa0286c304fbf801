import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { editOf, showVersion } from '../../http/record-version.ts'
import { operatorOriginOf } from '../audit/origin.ts'
import { existingShop } from '../shops/existing-shop.ts'
import { presentSmsSender } from './present.ts'
import { setSmsSenderBody, smsSenderRecord } from './schema.ts'
import { removeSmsSender, setSmsSender } from './set-sender.ts'
import { findSenderVersion, findSmsSender } from './sql.ts'

const tags = ['Management']
const PATH = '/api/manage/v1/shops/:id/sms'

/** The SMS sender of a shop (G-90); the caller is known to be the operator. */
export function smsSenderRoutes(app: App, deps: Deps): void {
  app.get(
    PATH,
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getSms',
        summary: 'Read a shop’s SMS sender',
        response: { 200: Type.Object({ data: Type.Union([smsSenderRecord, Type.Null()]) }) },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(deps.db, request.params)
      // Read before the sender: with a version that is too old, a change is refused; with one that is too new, it would go unseen.
      const version = await findSenderVersion(deps.db, shopId)
      const row = await findSmsSender(deps.db, shopId)
      showVersion(reply, version)
      return { data: row === undefined ? null : presentSmsSender(row, version) }
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
        errors: ['RECORD_CHANGED'],
        response: { 200: Type.Object({ data: smsSenderRecord }) },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(deps.db, request.params)
      const { row, version } = await setSmsSender(
        deps,
        shopId,
        request.body,
        operatorOriginOf(request),
        editOf(request),
      )
      showVersion(reply, version)
      return { data: presentSmsSender(row, version) }
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        tags,
        operationId: 'removeSms',
        summary: 'Remove a shop’s SMS sender; waiting SMS end unsent, and their fees are released',
        errors: ['RECORD_CHANGED'],
        response: { 200: Type.Object({ data: smsSenderRecord }) },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(deps.db, request.params)
      const { row, version } = await removeSmsSender(deps, shopId, operatorOriginOf(request), editOf(request))
      showVersion(reply, version)
      return { data: presentSmsSender(row, version) }
    },
  )
}
