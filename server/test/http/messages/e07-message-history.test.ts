import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { BATCHES, batchTo, makeBatchShop, PLAIN_VALUES, phones } from '../../support/batches.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { eventually, makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { type EnabledTemplate, insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'

const running = await service()
const { db, ids } = running.deps
const HISTORY = '/api/external/notify-message/history'

type Ended = {
  at: string
  state?: 'RECEIVED' | 'ERROR' | 'UNKNOWN' | 'SENDING'
  phone?: string
  userUid?: string
}

/** Stores messages as sending does. The last one is the newest, unless `at` says otherwise. */
async function insertMessages(
  shop: Partner,
  template: EnabledTemplate,
  messages: Ended[],
): Promise<string[]> {
  const made: string[] = []
  for (const { at, state = 'RECEIVED', phone = '84901234567', userUid = '' } of messages) {
    const id = ids.next()
    made.push(id)
    await sql`
      insert into messages
        (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, user_uid, params, state, fee, session_id,
        error_code, error_text, sent_at, lease_until, settle_at, created_at, updated_at)
      values (${shop.shopId}, ${id}, ${template.id}, ${template.platformTemplateId}, ${template.oaId},
        ${userUid === '' ? 'phone' : 'uid'}, ${userUid === '' ? phone : ''}, ${userUid}, '{}', ${state}, 0,
        ${state === 'RECEIVED' ? `session-${id}` : ''}, ${state === 'ERROR' ? '-118' : null},
        ${state === 'ERROR' ? 'no account' : null}, ${state === 'RECEIVED' ? new Date(at) : null},
        ${state === 'SENDING' ? new Date('2100-01-01') : null},
        ${state === 'UNKNOWN' ? new Date('2100-01-01') : null}, ${new Date(at)}, ${new Date(at)})`.execute(db)
  }
  return made
}

async function makeHistory(messages: Ended[]) {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId)
  return { shop, template, made: await insertMessages(shop, template, messages) }
}

async function read(shop: Partner, query: Record<string, string | number> = {}) {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) search.set(key, String(value))
  const { status, body } = await shop.get(`${HISTORY}?${search}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return {
    ids: body.histories.map((record: { _id: string }) => record._id) as string[],
    total: body.meta.total as number,
    ...body,
  }
}

const minute = (n: number) => new Date(Date.UTC(2026, 4, 1, 0, n)).toISOString()

describe('E7 message history', () => {
  it('G-25 `cancelled` keeps those that were cancelled before they were sent, or all others, and the totals say as many', async () => {
    const { shop, template, made } = await makeHistory(
      Array.from({ length: 12 }, (_, n) => ({
        at: minute(n * 60 * 5),
        state: n % 3 === 0 ? ('RECEIVED' as const) : ('ERROR' as const),
        ...(n % 4 === 0 ? { userUid: `user${n}` } : {}),
      })),
    )
    const of = (which: (n: number) => boolean) => made.filter((_, n) => which(n)).reverse()
    const isCancelled = (n: number) => n % 3 === 1
    const cancelled = of(isCancelled)
    await sql`
      update messages set error_code = 'CANCELLED' where shop_id = ${shop.shopId} and id = any(${cancelled}::text[])`.execute(
      db,
    )
    const answers: [Record<string, string>, (n: number) => boolean][] = [
      [{ cancelled: 'true' }, isCancelled],
      [{ cancelled: 'false' }, (n) => !isCancelled(n)],
      [{ cancelled: 'true', status: 'ERROR' }, isCancelled],
      [{ cancelled: 'true', status: 'RECEIVED' }, () => false],
      [{ cancelled: 'false', status: 'ERROR' }, (n) => n % 3 === 2],
      [{ cancelled: 'false', status: 'RECEIVED' }, (n) => n % 3 === 0],
      [{ status: 'ERROR' }, (n) => n % 3 !== 0],
      [{ cancelled: 'true', channel: 'uid' }, (n) => isCancelled(n) && n % 4 === 0],
      [{ cancelled: 'false', delivered: 'false', channel: 'phone' }, (n) => !isCancelled(n) && n % 4 !== 0],
      [{ cancelled: 'true', templateId: template.id, from: minute(12 * 60) }, (n) => isCancelled(n) && n > 2],
      [{ cancelled: 'false', status: 'ERROR', to: minute(30 * 60) }, (n) => n % 3 === 2 && n <= 6],
    ]
    for (const [query, which] of answers) {
      expect(await read(shop, query), JSON.stringify(query)).toMatchObject({
        ids: of(which),
        total: of(which).length,
      })
    }
    expect(await read(shop, { cancelled: 'true', offset: 2, page: 2 })).toMatchObject({
      ids: cancelled.slice(2),
      total: 4,
    })
    expect((await shop.get(`${HISTORY}?cancelled=x`)).status).toBe(400)
    await checkInvariants(db, shop.shopId)
  })

  it('200 and every page is right on both sides of the middle of 1,300 messages, also of one channel', async () => {
    const { shop, made } = await makeHistory(
      Array.from({ length: 1_300 }, (_, n) => ({
        at: minute(Math.floor(n / 2)),
        ...(n % 13 === 0 ? { userUid: `user${n}` } : {}),
      })),
    )
    const newest = made.toReversed()
    for (const page of [50, 51, 52, 65, 66, 1_000]) {
      const { ids, total } = await read(shop, { page, offset: 20 })
      expect([page, total, ids]).toEqual([page, 1_300, newest.slice((page - 1) * 20, page * 20)])
    }
    const byPhone = newest.filter((_, at) => (1_299 - at) % 13 !== 0)
    for (const page of [51, 59, 60, 61]) {
      const { ids, total } = await read(shop, { page, offset: 20, channel: 'phone' })
      expect([page, total, ids]).toEqual([page, 1_200, byPhone.slice((page - 1) * 20, page * 20)])
    }
  }, 60_000)

  it('200 with the record in full, of a message that was really sent', async () => {
    const { shop, template } = await makeHistory([])
    await topUp(running, shop.shopId, 1000)
    const sent = await shop.post('/api/external/notify-message/send', {
      templateId: template.id,
      receiverPhone: '0901230003',
      params: VALUES,
    })
    const answer = await shop.get(HISTORY)
    expect(answer.body).toEqual({
      histories: [
        {
          _id: sent.body.data.message_id,
          id: sent.body.data.message_id,
          phone: '84901230003',
          templateId: template.platformTemplateId,
          status: 'RECEIVED',
          reason: '',
          sessionId: expect.stringMatching(/^\d+$/),
          deliveryTime: expect.stringMatching(/^\d{13}$/),
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: expect.any(String),
        },
      ],
      meta: { page: 1, offset: 20, total: 1 },
    })
  })

  it('200 with nothing for a shop that has sent nothing, and for another shop’s messages', async () => {
    const { template } = await makeHistory([{ at: minute(1) }])
    const shop = await makeShop(running)
    const empty = { histories: [], meta: { page: 1, offset: 20, total: 0 } }
    expect((await shop.get(HISTORY)).body).toEqual(empty)
    expect((await shop.get(`${HISTORY}?templateId=${template.id}`)).body).toEqual(empty)
    expect((await shop.get(`${HISTORY}?phone=0901234567`)).body).toEqual(empty)
  })

  it('newest first, 20 a page, and the total holds on every page and past the end', async () => {
    const { shop, made } = await makeHistory(Array.from({ length: 25 }, (_, n) => ({ at: minute(n) })))
    const newestFirst = made.toReversed()
    expect(await read(shop)).toMatchObject({ ids: newestFirst.slice(0, 20), total: 25 })
    expect(await read(shop, { page: 2 })).toMatchObject({ ids: newestFirst.slice(20), total: 25 })
    expect(await read(shop, { page: 3 })).toMatchObject({ ids: [], total: 25 })
    expect(await read(shop, { page: 3, offset: 7 })).toMatchObject({
      ids: newestFirst.slice(14, 21),
      meta: { page: 3, offset: 7, total: 25 },
    })
    expect((await read(shop, { offset: 100 })).ids).toHaveLength(25)
  })

  it.each([
    ['page=0', '"page" must be greater than or equal to 1'],
    ['page=x', '"page" must be a number'],
    ['page=1.5', '"page" must be an integer'],
    ['page=1e20', '"page" must be a safe number'],
    ['offset=0', '"offset" must be greater than or equal to 1'],
    ['offset=101', '"offset" must be less than or equal to 100'],
    ['status=UNKNOWN', '"status" must be one of [RECEIVED, ERROR]'],
    ['channel=sms', '"channel" must be one of [phone, uid]'],
    ['phone=abc', '"phone" must be a valid phone number'],
    ['from=yesterday', '"from" must be in ISO 8601 date format'],
    ['to=2026-02-30', '"to" must be in ISO 8601 date format'],
  ])('400 for %s (G-08)', async (query, message) => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${HISTORY}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.query).toEqual({
      source: 'query',
      keys: [query.split('=')[0]],
      message,
    })
  })

  it('unknown parameters are ignored (G-08)', async () => {
    const { shop } = await makeHistory([{ at: minute(1) }])
    expect((await read(shop, { limit: 0, shopId: unusedId() })).total).toBe(1)
  })
})

describe('G-25 history', () => {
  it('shows ended messages only', async () => {
    const { shop, made } = await makeHistory([
      { at: minute(1), state: 'UNKNOWN' },
      { at: minute(2), state: 'SENDING' },
      { at: minute(3), state: 'ERROR' },
      { at: minute(4) },
    ])
    expect(await read(shop)).toMatchObject({ ids: [made[3], made[2]], total: 2 })
  })

  it('a message by UID has an empty phone and its userUID', async () => {
    const { shop } = await makeHistory([{ at: minute(1), userUid: '7788990011' }])
    expect((await read(shop)).histories[0]).toMatchObject({ phone: '', userUID: '7788990011' })
  })

  it('an error has a reason of error, code and params, no session and no deliveryTime', async () => {
    const { shop, template } = await makeHistory([])
    await topUp(running, shop.shopId, 1000)
    await shop.post('/api/external/notify-message/send', {
      templateId: template.id,
      receiverPhone: '0901230001',
      params: VALUES,
    })
    const [record] = (await read(shop)).histories
    expect(record).toMatchObject({ status: 'ERROR', sessionId: '' })
    expect(record).not.toHaveProperty('deliveryTime')
    expect(JSON.parse(record.reason)).toEqual({
      error: 'The recipient has no account on the platform.',
      code: -118,
      params: { customer_name: 'Trần Bình', otp: '***' },
    })
    const inVietnamese = await shop.get(HISTORY, { 'accept-language': 'vi' })
    expect(JSON.parse(inVietnamese.body.histories[0].reason).error).toMatch(/^Người nhận/)
  })

  it('an OTP is nowhere in the database once the message has ended', async () => {
    const { shop, template } = await makeHistory([])
    await topUp(running, shop.shopId, 1000)
    for (const receiverPhone of ['0901230001', '0901230003']) {
      await shop.post('/api/external/notify-message/send', {
        templateId: template.id,
        receiverPhone,
        params: { ...VALUES, otp: '98989898' },
      })
    }
    const { rows } = await sql<{ whole: string }>`
      select to_jsonb(m)::text as whole from messages m where shop_id = ${shop.shopId}`.execute(db)
    expect(rows).toHaveLength(2)
    expect(rows.filter(({ whole }) => whole.includes('98989898'))).toEqual([])
  })

  it('filters by phone in any form, also as the history shows it', async () => {
    const { shop, made } = await makeHistory([
      { at: minute(1), phone: '84901111111' },
      { at: minute(2), phone: '84902222222' },
      { at: minute(3), phone: '84901111111', state: 'ERROR' },
      { at: minute(4), phone: '8613800138000' },
    ])
    for (const phone of ['0901111111', '84901111111', '+84 90 111 11 11']) {
      expect(await read(shop, { phone })).toMatchObject({ ids: [made[2], made[0]], total: 2 })
    }
    for (const phone of ['+86 138 0013 8000', '8613800138000']) {
      expect(await read(shop, { phone })).toMatchObject({ ids: [made[3]], total: 1 })
    }
    expect(await read(shop, { phone: '0901111111', status: 'ERROR' })).toMatchObject({ total: 1 })
    expect(await read(shop, { phone: '0909999999' })).toMatchObject({ ids: [], total: 0 })
  })

  it('filters by status, channel, and template by our id or the platform’s number', async () => {
    const { shop, template, made } = await makeHistory([
      { at: minute(1) },
      { at: minute(2), state: 'ERROR' },
      { at: minute(3), userUid: '77' },
    ])
    const other = await insertEnabledTemplate(running, shop.shopId)
    const [ofOther] = await insertMessages(shop, other, [{ at: minute(4) }])
    expect(await read(shop, { status: 'ERROR' })).toMatchObject({ ids: [made[1]], total: 1 })
    expect(await read(shop, { status: 'RECEIVED' })).toMatchObject({
      ids: [ofOther, made[2], made[0]],
      total: 3,
    })
    expect(await read(shop, { channel: 'uid' })).toMatchObject({ ids: [made[2]], total: 1 })
    for (const templateId of [other.id, other.id.toUpperCase(), other.platformTemplateId]) {
      expect(await read(shop, { templateId })).toMatchObject({ ids: [ofOther], total: 1 })
    }
    expect(await read(shop, { templateId: template.id, channel: 'phone' })).toMatchObject({ total: 2 })
    for (const templateId of [unusedId(), '1'.repeat(40)]) {
      expect(await read(shop, { templateId })).toMatchObject({ ids: [], total: 0 })
    }
    expect(await read(shop, { templateId: '999999' })).toMatchObject({ ids: [], total: 0 })
    const malformed = await shop.get(`${HISTORY}?templateId=no-number`)
    expect([malformed.status, malformed.body.message]).toEqual([500, expect.stringContaining('"templateId"')])
  })

  it('has no last page: a page after it is empty', async () => {
    const { shop } = await makeHistory([{ at: '2026-01-01T00:00:00Z' }])
    for (const page of [2, 1_000_001, Number.MAX_SAFE_INTEGER]) {
      expect(await read(shop, { page })).toMatchObject({ ids: [], total: 1 })
    }
  })

  it('a message of a batch is listed by when it was sent, not accepted; from and to use that time', async () => {
    const sender = await makeBatchShop(running)
    const scheduledAt = new Date(Date.now() + 1_500).toISOString()
    const batch = await sender.shop.post(BATCHES, batchTo(sender, phones(1), { scheduledAt }))
    expect(batch.status).toBe(202)
    const body = { templateId: sender.template.id, receiverPhone: '0901234567', params: PLAIN_VALUES }
    const direct = (await sender.shop.post('/api/external/notify-message/send', body)).body.data.message_id
    const between = new Date().toISOString()
    expect(between < scheduledAt).toBe(true)
    await eventually(async () => {
      const { data } = (await sender.shop.get(`${BATCHES}/${batch.body.data.id}`)).body
      return data.status === 'DONE'
    }, 15_000)
    const all = await read(sender.shop)
    expect(all).toMatchObject({ ids: [expect.not.stringContaining(direct), direct], total: 2 })
    const [later] = all.histories
    expect(later.createdAt < between).toBe(true)
    expect(await read(sender.shop, { from: between })).toMatchObject({ ids: [later.id], total: 1 })
    expect(await read(sender.shop, { to: between })).toMatchObject({ ids: [direct], total: 1 })
    const of = { phone: later.phone, status: 'RECEIVED' }
    expect(await read(sender.shop, of)).toMatchObject({ ids: [later.id], total: 1 })
    await checkInvariants(db, sender.shop.shopId)
  })

  it('from and to count to the millisecond, over whole days and parts of days', async () => {
    const times = [
      '2026-05-01T10:00:00.000Z',
      '2026-05-01T23:59:59.999Z',
      '2026-05-02T00:00:00.000Z',
      '2026-05-03T12:00:00.000Z',
      '2026-05-04T00:00:00.000Z',
      '2026-05-04T00:00:00.001Z',
    ]
    const { shop, made } = await makeHistory([
      ...times.map((at) => ({ at })),
      { at: '2026-05-02T06:00:00.000Z', state: 'UNKNOWN' },
    ])
    const inRange = (from: string, to: string) =>
      made.filter((_, n) => times[n] !== undefined && times[n] >= from && times[n] <= to).toReversed()
    const bounds = [
      '0001-01-01T00:00:00.000Z',
      ...times,
      '2026-05-01T10:00:00.001Z',
      '2026-05-03T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]
    for (const bound of bounds) {
      const since = inRange(bound, '9999-12-31T23:59:59.999Z')
      expect(await read(shop, { from: bound }), `from ${bound}`).toMatchObject({
        ids: since,
        total: since.length,
      })
      const until = inRange('0001-01-01T00:00:00.000Z', bound)
      expect(await read(shop, { to: bound }), `to ${bound}`).toMatchObject({
        ids: until,
        total: until.length,
      })
      for (const to of bounds) {
        const between = inRange(bound, to)
        const answer = await read(shop, { from: bound, to })
        expect(answer, `${bound} to ${to}`).toMatchObject({ ids: between, total: between.length })
      }
    }
    expect(await read(shop, { from: '2026-05-02', to: '2026-05-04', status: 'ERROR' })).toMatchObject({
      total: 0,
    })
    expect(await read(shop, { from: '2026-05-02', to: '2026-05-04', phone: '0901234567' })).toMatchObject({
      total: 3,
    })
  })
})
