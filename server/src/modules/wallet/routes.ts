import type { App } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { presentWallet, presentWalletEntry } from './present.ts'
import { walletEntriesAnswer, walletEntriesQuery, walletRecord } from './schema.ts'
import { findWallet, listWalletEntries } from './sql.ts'

const tags = ['Wallet']

export function walletRoutes(app: App, { db }: Deps): void {
  // G-28: what the shop can spend.
  app.get(
    '/api/external/wallet',
    {
      schema: {
        tags,
        summary: 'Read the wallet',
        description:
          'The fee of a message is held when it is accepted, spent when the platform takes it, and given back when the platform refuses it.',
        response: { 200: walletRecord },
      },
    },
    async (request) => presentWallet((await findWallet(db, request.shop.id))!),
  )

  // G-28: the ledger, newest first.
  app.get(
    '/api/external/wallet/entries',
    {
      schema: {
        tags,
        summary: 'List the entries of the wallet, newest first',
        querystring: walletEntriesQuery,
        response: { 200: walletEntriesAnswer },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { entries, hasMore } = await listWalletEntries(db, request.shop.id, { page, limit })
      return { entries: entries.map(presentWalletEntry), meta: { page, limit, hasMore } }
    },
  )
}
