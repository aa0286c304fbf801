import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { BATCHES, type BatchShop, batchTo, makeBatchShop, messageRows } from '../../support/batches.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const path = '/api/external/v1/consents'
const [LAN, MAI] = ['0912345678', '0987654321']

const record = async (shop: Partner, body: object, headers = {}) => {
  const answer = await shop.post(path, { source: 'quầy', ...body }, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const later = { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }
const send = async (shop: BatchShop, receivers: string[], more = {}) =>
  (await shop.shop.post(BATCHES, batchTo(shop, receivers, { ...later, ...more }))).body.data
const wallet = async ({ shop }: BatchShop) => (await shop.get('/api/external/wallet')).body

describe('G-77 record a consent', () => {
  it('201, kept beside the earlier ones with its time and source; the newest time holds', async () => {
    const shop = await makeShop(running)
    const at = '2026-01-02T03:04:05.000Z'
    const { consent } = await record(shop, { phone: LAN, status: 'withdrawn', source: ' tổng đài ' })
    await record(shop, { phone: '+84 912 345 678', status: 'granted', source: 'nhập từ hệ thống cũ', at })
    await record(shop, { userUID: '4129837465201', status: 'granted' })
    expect(consent).toMatchObject({
      phone: '84912345678',
      userUID: '',
      status: 'withdrawn',
      source: 'tổng đài',
    })
    expect(consent.recordedBy.type).toBe('key')
    const { body } = await shop.get(`${path}?phone=${LAN}`)
    expect(body.data.map((one: { status: string; at: string }) => [one.status, one.at])).toEqual([
      ['withdrawn', consent.at],
      ['granted', at],
    ])
    const first = (await shop.get(`${path}?cursor=*&limit=2`)).body
    const rest = (await shop.get(`${path}?limit=2&cursor=${encodeURIComponent(first.meta.nextCursor)}`)).body
    expect([...first.data, ...rest.data].map((one: { at: string }) => one.at)).toHaveLength(3)
    expect((await (await makeShop(running)).get(path)).body.data).toEqual([])
    const change = sql`update consents set status = 'granted' where shop_id = ${shop.shopId}`
    await expect(change.execute(running.deps.db)).rejects.toThrow('append-only')
  })

  it('201 once for a repeated Idempotency-Key', async () => {
    const shop = await makeShop(running)
    const key = { 'idempotency-key': 'form-1' }
    const first = await record(shop, { phone: LAN, status: 'withdrawn' }, key)
    expect(await record(shop, { phone: LAN, status: 'withdrawn' }, key)).toEqual(first)
    expect((await shop.get(path)).body.data).toHaveLength(1)
  })

  it('400 for no recipient, two of them, no source, or a future time', async () => {
    const shop = await makeShop(running)
    const at = new Date(Date.now() + 60_000).toISOString()
    const wrong = [
      { status: 'granted', source: 'x' },
      { phone: LAN, userUID: '1', status: 'granted', source: 'x' },
      { phone: LAN, status: 'granted' },
      { phone: LAN, status: 'granted', source: '  ' },
      { phone: '12', status: 'granted', source: 'x' },
      { phone: LAN, status: 'maybe', source: 'x' },
      { phone: LAN, status: 'withdrawn', source: 'x', at },
    ]
    for (const body of wrong) expect((await shop.post(path, body)).status, JSON.stringify(body)).toBe(400)
    expect((await shop.get(path)).body.data).toEqual([])
  })
})

describe('G-77 a batch', () => {
  it.each(['2', '3'] as const)('of tag %s refuses who opted out before money is held', async (tag) => {
    const shop = await makeBatchShop(running, 10_000, { tag })
    await record(shop.shop, { phone: LAN, status: 'withdrawn' })
    const batch = await send(shop, [LAN, MAI])
    expect(batch.accepted).toBe(1)
    expect(batch.refused).toEqual([
      {
        index: 0,
        code: 'RECIPIENT_OPTED_OUT',
        message: 'The recipient opted out of customer care and post-sale messages (tags 2 and 3)',
      },
    ])
    const [{ fee }] = await messageRows(running, shop.shop.shopId)
    expect(await wallet(shop)).toMatchObject({ balance: 10_000 - fee, held: fee })
    await record(shop.shop, { phone: LAN, status: 'granted' })
    expect((await send(shop, [LAN])).accepted).toBe(1)
  })

  it('of tag 1 is sent to a customer who opted out, and so is a single message of any tag', async () => {
    const shop = await makeBatchShop(running, 10_000, { tag: '1' })
    await record(shop.shop, { phone: LAN, status: 'withdrawn' })
    expect((await send(shop, [LAN])).accepted).toBe(1)
    const promotion = await makeBatchShop(running, 10_000, { tag: '3' })
    await record(promotion.shop, { phone: LAN, status: 'withdrawn' })
    const { messages, templateId } = batchTo(promotion, [LAN])
    const single = { templateId, ...messages[0] }
    expect((await promotion.shop.post('/api/external/notify-message/send', single)).status).toBe(200)
  })

  it('that waits loses the messages to who opts out, and their fees come back', async () => {
    const shop = await makeBatchShop(running, 10_000, { tag: '3' })
    await send(shop, [LAN, MAI])
    const { cancelled } = await record(shop.shop, { phone: LAN, status: 'withdrawn' })
    expect(cancelled).toBe(1)
    const rows = await messageRows(running, shop.shop.shopId)
    expect(rows.map((row) => [row.state, row.error_code])).toEqual([
      ['ERROR', 'OPTED_OUT'],
      ['QUEUED', null],
    ])
    // The platform's event of the approval may have set its own price before the batch.
    const { fee } = rows[1]
    expect(await wallet(shop)).toMatchObject({ balance: 10_000 - fee, held: fee })
    const { histories } = (await shop.shop.get('/api/external/notify-message/history')).body
    expect(JSON.parse(histories[0].reason).error).toContain('opted out')
  })

  it('and a withdrawal at the same moment: the message is refused or cancelled, never left to be sent', async () => {
    const shop = await makeBatchShop(running, 100_000, { tag: '3' })
    const numbers = Array.from({ length: 12 }, (_, n) => `09123400${10 + n}`)
    const both = numbers.map((phone) =>
      Promise.all([send(shop, [phone]), record(shop.shop, { phone, status: 'withdrawn' })]),
    )
    await Promise.all(both)
    const left = (await messageRows(running, shop.shop.shopId)).filter(({ state }) => state !== 'ERROR')
    expect(left).toEqual([])
    expect(await wallet(shop)).toMatchObject({ balance: 100_000, held: 0 })
  })
})
