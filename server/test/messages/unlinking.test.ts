import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { recoverMessages } from '../../src/modules/messages/outcome/recover-messages.ts'
import { settleUndeliveredMessages } from '../../src/modules/messages/outcome/settle-undelivered.ts'
import { settleUnknownMessages } from '../../src/modules/messages/outcome/settle-unknown.ts'
import { acceptMessage } from '../../src/modules/messages/send/send-message.ts'
import {
  deleteOfficialAccount,
  listOfficialAccounts,
  lockOfficialAccount,
} from '../../src/modules/official-accounts/sql.ts'
import { BATCHES } from '../support/batches.ts'
import { onPostgres } from '../support/database.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { rowsOf, type Sender, walletOf } from '../support/senders.ts'
import { manage } from '../support/service.ts'
import { MONEY, refusedTo, sendNamed, smsService } from '../support/sms.ts'
import { control } from '../support/templates.ts'
import { DAY, sent } from '../support/unknown-messages.ts'

const { running, at, makeFalling, roundIn, holds } = await smsService({ platformTimeoutMs: 10_000 })
const { deps } = running
await control(running, '/settings', { suppressEvents: true })

async function accountOf({ shop }: Sender): Promise<string> {
  const place = { limit: 1, offset: 0, after: undefined, ids: undefined }
  const { accounts } = await listOfficialAccounts(deps.db, shop.shopId, undefined, place)
  return accounts[0]!.id
}

async function unlink(sender: Sender) {
  const { shopId } = sender.shop
  const id = await accountOf(sender)
  const { status, body } = await manage(running, 'DELETE', `/shops/${shopId}/official-accounts/${id}`)
  return [status, body.code]
}

function accept({ shop, template }: Sender, db: Deps['db'] = deps.db) {
  return acceptMessage({ ...deps, db }, shop.shopId, {
    templateId: template.id,
    channel: 'phone',
    phone: '84901000000',
    userUid: '',
    isSample: false,
    params: { customer_name: 'An' },
    paramsPath: ['params'],
  })
}

/** Ends every message, as the background work does within two days. */
async function endAll(): Promise<void> {
  await recoverMessages(deps, new Date(deps.clock.now().getTime() + 121_000))
  await settleUnknownMessages(at(2 * DAY))
  await settleUndeliveredMessages(at(2 * DAY))
  await roundIn(2 * DAY)
  await roundIn(4 * DAY)
}

describe('G-61 unlinking an official account whose messages have no result yet', () => {
  it.each<[string, string, (sender: Sender) => Promise<unknown>]>([
    ['is being sent', 'SENDING', accept],
    ['has an unknown outcome', 'UNKNOWN', (sender) => sent(sender, '0901230007')],
    ['awaits the receipt that charges it', 'RECEIVED', (sender) => sent(sender, '0901230010')],
    ['is replaced by an SMS', 'FALLBACK', (sender) => refusedTo(sender, '0911130001')],
  ])('409 OA_IN_USE while a message %s; 200 once it has ended', async (_name, state, begin) => {
    const sender = await makeFalling({ chargeOn: 'delivered' })
    await begin(sender)
    expect((await rowsOf(running, sender.shop)).map((row) => row.state)).toEqual([state])
    expect(await unlink(sender)).toEqual([409, 'OA_IN_USE'])
    await endAll()
    expect((await walletOf(sender.shop)).held).toBe(0)
    expect(await unlink(sender)).toEqual([200, undefined])
    await holds(sender)
  })

  it('200 while a message of another shop has no result, and where receipts charge nothing', async () => {
    const sender = await makeFalling()
    await sent(sender, '0901230010')
    const other = await makeFalling()
    await accept(other)
    expect(await unlink(sender)).toEqual([200, undefined])
    await endAll()
  })
})

describe.runIf(onPostgres)('G-61 unlinking an official account at the moment when a message begins', () => {
  it('409 OA_IN_USE if the message began first: its receipt will find it', async () => {
    const sender = await makeFalling()
    const unlinked = await deps.db.transaction().execute(async (trx) => {
      await accept(sender, trx)
      const unlinked = unlink(sender)
      await lockWaits(deps.db, 1)
      return { unlinked }
    })
    expect(await unlinked.unlinked).toEqual([409, 'OA_IN_USE'])
    await endAll()
  })

  it('400 OA_NOT_LINKED for a message and for a batch if the account was unlinked first: nothing is held', async () => {
    const sender = await makeFalling()
    const { shop, template } = sender
    // A template that was used a moment ago is not read again.
    await sendNamed(sender, '0901230001')
    await endAll()
    const id = await accountOf(sender)
    const message = { receiverPhone: '0901230010', params: { customer_name: 'An' } }
    const sends = await deps.db.transaction().execute(async (trx) => {
      await lockOfficialAccount(trx, shop.shopId, id, { for: 'unlinking' })
      const single = sendNamed(sender, '0901230010')
      const batch = shop.post(BATCHES, { templateId: template.id, messages: [message] })
      await lockWaits(deps.db, 2)
      expect(await deleteOfficialAccount(trx, shop.shopId, id)).toBe(true)
      return [single, batch]
    })
    for (const answer of await Promise.all(sends))
      expect([answer.status, answer.body.code]).toEqual([400, 'OA_NOT_LINKED'])
    expect(await walletOf(shop)).toEqual({ balance: MONEY, held: 0 })
    expect((await shop.get(BATCHES)).body.data).toEqual([])
  })
})
