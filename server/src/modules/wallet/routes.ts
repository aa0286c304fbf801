import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { csvFile, sendCsv } from '../../http/formats/csv.ts'
import { cursorMeta, readPlace } from '../../http/list-place.ts'
import { editOf, showVersion } from '../../http/record-version.ts'
import { monthOfZone } from '../../lib/time/dates.ts'
import { changedOrGone } from '../concurrent-edits/assert-version.ts'
import { exportStatement } from './export-statement.ts'
import { presentWallet, presentWalletAlert, presentWalletEntry } from './present.ts'
import {
  statementQuery,
  walletAlert,
  walletAlertBody,
  walletEntriesAnswer,
  walletEntriesQuery,
  walletRecord,
} from './schema.ts'
import { findWallet, findWalletAlert, listWalletEntries, updateWalletAlert } from './sql.ts'

const tags = ['Wallet']

/** G-28: what a shop can spend, its entries, and the balance below which it is warned. */
export function walletRoutes(app: App, { db, database, clock }: Deps): void {
  // G-28: what the shop can spend.
  app.get(
    '/api/external/wallet',
    {
      schema: {
        tags,
        operationId: 'getWallet',
        summary: 'Read the wallet',
        description:
          'The fee of a message is held when the message is accepted, captured when the platform accepts it, and released when the platform rejects it.',
        response: { 200: walletRecord },
      },
    },
    async (request) => presentWallet((await findWallet(db, request.shop.id))!),
  )

  // G-62: the balance below which the shop's endpoints are notified.
  app.get(
    '/api/external/wallet/alert',
    {
      config: { showsVersion: true },
      schema: {
        tags,
        operationId: 'getWalletAlert',
        summary: 'Read the wallet’s threshold',
        response: { 200: walletAlert },
      },
    },
    async (request, reply) => {
      const row = (await findWalletAlert(db, request.shop.id))!
      showVersion(reply, row.version)
      return presentWalletAlert(row)
    },
  )

  app.put(
    '/api/external/wallet/alert',
    {
      schema: {
        tags,
        operationId: 'setWalletAlert',
        summary: 'Set the balance below which `wallet.low` is sent, once per crossing',
        body: walletAlertBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: walletAlert },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const change = { lowBelow: request.body.lowBelow, now: clock.now() }
      const row = await updateWalletAlert(db, shopId, change, editOf(request))
      if (row === undefined) throw await changedOrGone(db, shopId, 'wallet_alerts', shopId, 'shop')
      showVersion(reply, row.version)
      return presentWalletAlert(row)
    },
  )

  // G-28: the ledger, newest first.
  app.get(
    '/api/external/wallet/entries',
    {
      schema: {
        tags,
        operationId: 'listWalletEntries',
        summary: 'List the entries of the wallet, newest first',
        querystring: walletEntriesQuery,
        response: { 200: walletEntriesAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const place = readPlace(request.query, request.shop.id, 'walletEntries.createdAt.desc')
      const { entries, hasMore, last } = await listWalletEntries(db, request.shop.id, place.ids, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, entries.length, last) }
      return { entries: entries.map(presentWalletEntry), meta }
    },
  )

  app.get(
    '/api/external/wallet/statement',
    {
      schema: {
        tags,
        operationId: 'downloadWalletStatement',
        summary: 'Download a month’s entries as CSV, oldest first',
        querystring: statementQuery,
        response: { 200: csvFile },
      },
    },
    async (request, reply) => {
      const { month, labels } = request.query
      const chunks = exportStatement(database.slow, request.shop.id, monthOfZone(month), labels)
      return sendCsv(reply, { name: `wallet-${month}`, now: clock.now(), chunks })
    },
  )
}
