import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { settleUndeliveredMessages } from '../../src/modules/messages/outcome/settle-undelivered.ts'
import { applyReceipts } from '../../src/modules/messages/receipts/apply-receipts.ts'
import type { Platform } from '../../src/platform/types.ts'
import { onPostgres } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { lockWaits } from '../support/lock-waits.ts'
import type { Sender } from '../support/senders.ts'
import { eventually, manage } from '../support/service.ts'
import { messagesOnPlatform } from '../support/templates.ts'
import { DAY, deafService, kinds, makeNamer, readMessage, sent } from '../support/unknown-messages.ts'

const running = await deafService()
const { deps } = running
const FEE = 200
const MONEY = 100_000

/** A sender whose official account is charged when its messages are delivered. */
async function makeCharged(money = MONEY): Promise<Sender & { chargeOn(when: string): Promise<void> }> {
  const sender = await makeNamer(running, money)
  const path = `/shops/${sender.shop.shopId}/official-accounts`
  const chargeOn = async (when: string) => {
    const [account] = (await manage(running, 'GET', path)).body.data
    const changed = await manage(running, 'PATCH', `${path}/${account._id}`, { chargeOn: when })
    expect([changed.status, changed.body.data.chargeOn]).toEqual([200, when])
  }
  await chargeOn('delivered')
  return { ...sender, chargeOn }
}

/** Runs a round of the background work as it would run this many seconds from now. */
function settleIn(seconds: number, platform: Partial<Platform> = {}, db = deps.db): Promise<number> {
  return settleUndeliveredMessages({
    ...deps,
    db,
    platform: { ...deps.platform, ...platform },
    clock: { now: () => new Date(deps.clock.now().getTime() + seconds * 1000) },
  })
}

function receive({ template }: Sender, ids: string[]): Promise<unknown> {
  const receipts = ids.map((id) => ({
    key: id,
    oaId: template.oaId,
    receipt: { kind: 'receipt' as const, trackingId: id, msgId: `of-${id}`, deliveredAt: deps.clock.now() },
  }))
  return deps.db.transaction().execute((trx) => applyReceipts(deps, trx, receipts))
}

async function wallet({ shop }: Sender) {
  return (await shop.get('/api/external/wallet')).body
}

/** The types of each message's ledger entries, in their order. */
async function entriesOf({ shop }: Sender): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ message_id: string; types: string[] }>`
    select message_id, array_agg(type order by id) as types
    from wallet_entries
    where shop_id = ${shop.shopId} and message_id is not null
    group by message_id`.execute(deps.db)
  return Object.fromEntries(rows.map(({ message_id, types }) => [message_id, types]))
}

/** How many messages have a receipt in their timeline, and how many receipts there are. */
async function receiptsOf({ shop }: Sender) {
  const { rows } = await sql<{ receipts: number; messages: number }>`
    select count(*)::integer as receipts, count(distinct message_id)::integer as messages
    from message_events
    where shop_id = ${shop.shopId} and kind in ('receipt', 'late')`.execute(deps.db)
  return rows[0]
}

const never: Partial<Platform> = {
  messageStatus: async () => ({ kind: 'ok', data: { status: 'pushed' }, raw: null }),
}

describe('G-26 an official account that is charged on delivery', () => {
  it('200 RECEIVED with its fee still held; the receipt captures it, once for several copies', async () => {
    const sender = await makeCharged()
    const id = await sent(sender, '0912345678')
    expect([(await readMessage(sender, id)).status, await wallet(sender)]).toEqual([
      'RECEIVED',
      { balance: MONEY - FEE, held: FEE },
    ])
    await receive(sender, [id, id])
    await receive(sender, [id])
    expect(await wallet(sender)).toEqual({ balance: MONEY - FEE, held: 0 })
    expect([await entriesOf(sender), await kinds(sender, id)]).toEqual([
      { [id]: ['hold', 'capture'] },
      ['accepted', 'sent', 'receipt'],
    ])
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('without a receipt in time is released once, however many rounds run at once; its shop sees why', async () => {
    const sender = await makeCharged()
    const ids = [await sent(sender, '0912340003'), await sent(sender, '0912350003')]
    expect(await settleIn(DAY - 60, never)).toBe(0)
    const rounds = await Promise.all([1, 2, 3].map(() => settleIn(DAY + 60, never)))
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(await settleIn(2 * DAY, never)).toBe(0)
    expect(await wallet(sender)).toEqual({ balance: MONEY, held: 0 })
    expect(await entriesOf(sender)).toEqual(Object.fromEntries(ids.map((id) => [id, ['hold', 'release']])))
    const message = await readMessage(sender, ids[0]!)
    expect([message.status, message.sessionId, JSON.parse(message.reason)]).toMatchObject([
      'ERROR',
      '',
      { code: 'NOT_DELIVERED', error: 'The message was not delivered in time. The fee was released' },
    ])
    expect(await kinds(sender, ids[0]!)).toEqual(['accepted', 'sent', 'released'])
    expect(message.events.at(-1).reason).toBe('The message was not delivered in time. The fee was released')
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('a receipt after the refund makes it RECEIVED late and charges it again, once', async () => {
    const sender = await makeCharged()
    const id = await sent(sender, '0912340003')
    await settleIn(DAY + 60, never)
    await Promise.all([receive(sender, [id]), receive(sender, [id])])
    const message = await readMessage(sender, id)
    expect([message.status, message.late]).toEqual(['RECEIVED', true])
    expect(await entriesOf(sender)).toEqual({ [id]: ['hold', 'release', 'late_capture'] })
    expect(await wallet(sender)).toEqual({ balance: MONEY - FEE, held: 0 })
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('asks the platform first: what it has delivered is charged, though its receipt was lost', async () => {
    const sender = await makeCharged()
    const id = await sent(sender, '0912345678')
    await eventually(async () => {
      const [message] = await messagesOnPlatform(running, sender.template.oaId)
      return (message?.deliveredCount ?? 0) > 0
    })
    expect(await settleIn(DAY + 60)).toBe(1)
    expect([(await readMessage(sender, id)).status, await kinds(sender, id)]).toEqual([
      'RECEIVED',
      ['accepted', 'sent', 'status'],
    ])
    expect(await entriesOf(sender)).toEqual({ [id]: ['hold', 'capture'] })
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('waits while the platform cannot be asked, and is settled when it can', async () => {
    const sender = await makeCharged()
    const id = await sent(sender, '0912340003')
    const away: Partial<Platform> = {
      messageStatus: async () => ({ kind: 'unknown', cause: 'timeout', surelyNotSent: true }),
    }
    expect(await settleIn(DAY + 60, away)).toBe(0)
    const refused: Partial<Platform> = {
      messageStatus: async () => ({
        kind: 'rejected',
        code: -124,
        class: 'auth',
        message: 'expired',
        raw: {},
      }),
    }
    expect(await settleIn(DAY + 1_800, refused)).toBe(0)
    expect(await wallet(sender)).toEqual({ balance: MONEY - FEE, held: FEE })
    expect(await settleIn(DAY + 3_600, never)).toBe(1)
    expect(await entriesOf(sender)).toEqual({ [id]: ['hold', 'release'] })
  })

  it('whose account is refused for 30 days is released once, and the ledger says why', async () => {
    const sender = await makeCharged()
    const id = await sent(sender, '0912340003')
    const refused: Partial<Platform> = {
      messageStatus: async () => ({
        kind: 'rejected',
        code: -124,
        class: 'auth',
        message: 'expired',
        raw: {},
      }),
    }
    // The receipt is awaited for a day; each later round postpones the message again.
    for (const days of [2, 15, 30.9]) expect(await settleIn(days * DAY, refused)).toBe(0)
    const rounds = await Promise.all([settleIn(31.1 * DAY, refused), settleIn(31.1 * DAY, refused)])
    expect(rounds.toSorted()).toEqual([0, 1])
    expect(await settleIn(40 * DAY, refused)).toBe(0)
    expect(await entriesOf(sender)).toEqual({ [id]: ['hold', 'release'] })
    expect(await wallet(sender)).toEqual({ balance: MONEY, held: 0 })
    const [entry] = (await sender.shop.get('/api/external/wallet/entries')).body.entries
    expect(entry).toMatchObject({
      type: 'release',
      note: expect.stringContaining('could not be asked for 30 days'),
    })
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('a message keeps what its account had when it was accepted, one of a batch too', async () => {
    const sender = await makeCharged()
    const batch = await sender.shop.post('/api/external/notify-message/batches', {
      templateId: sender.template.id,
      scheduledAt: new Date(Date.now() + 1_500).toISOString(),
      messages: [{ receiverPhone: '0912340003', params: { customer_name: 'An' } }],
    })
    expect(batch.status).toBe(202)
    const single = await sent(sender, '0912350003')
    await sender.chargeOn('accepted')
    const other = await sent(sender, '0912360003')
    const accepted = await eventually(async () => {
      const { rows } = await sql<{ id: string }>`
        select id from messages where shop_id = ${sender.shop.shopId} and state = 'RECEIVED'`.execute(deps.db)
      return rows.length === 3 && rows.map(({ id }) => id)
    }, 20_000)
    await settleIn(DAY + 60, never)
    const inBatch = accepted.find((id) => id !== single && id !== other)!
    expect(await entriesOf(sender)).toEqual({
      [inBatch]: ['hold', 'release'],
      [single]: ['hold', 'release'],
      [other]: ['hold', 'capture'],
    })
    await checkInvariants(deps.db, sender.shop.shopId)
  }, 40_000)

  it.runIf(onPostgres)('a receipt that meets a release under way is charged after it', async () => {
    const sender = await makeCharged()
    const id = await sent(sender, '0912340003')
    let receipt: Promise<unknown> | undefined
    await deps.db.transaction().execute(async (trx) => {
      expect(await settleIn(DAY + 60, never, trx)).toBe(1)
      receipt = receive(sender, [id])
      await lockWaits(deps.db, 1)
    })
    await receipt
    expect(await entriesOf(sender)).toEqual({ [id]: ['hold', 'release', 'late_capture'] })
    expect(await wallet(sender)).toEqual({ balance: MONEY - FEE, held: 0 })
    await checkInvariants(deps.db, sender.shop.shopId)
  })

  it('races of receipts with each other and with the end of their time: each fee is settled once', async () => {
    const sender = await makeCharged()
    const ids: string[] = []
    for (let n = 0; n < 24; n++) ids.push(await sent(sender, `09123${String(10_100 + n)}`))
    const receipts = [...ids, ...ids].map((id, index) =>
      index % 3 === 0 ? receive(sender, [id]) : undefined,
    )
    await Promise.all([
      settleIn(DAY + 60, never),
      ...receipts,
      receive(sender, ids),
      settleIn(DAY + 60, never),
      receive(sender, ids.toReversed()),
    ])
    const entries = Object.values(await entriesOf(sender)).map((types) => types.join())
    expect(entries.length).toBe(ids.length)
    // In the end all have arrived, and fees released in between were charged again.
    expect(new Set(entries).difference(new Set(['hold,capture', 'hold,release,late_capture']))).toEqual(
      new Set(),
    )
    expect(await wallet(sender)).toEqual({ balance: MONEY - ids.length * FEE, held: 0 })
    expect(await receiptsOf(sender)).toEqual({ receipts: ids.length, messages: ids.length })
    await checkInvariants(deps.db, sender.shop.shopId)
  }, 30_000)
})
