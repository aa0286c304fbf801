import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, manage, service } from '../../support/service.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'

const running = await service()

describe('G-28 wallet', () => {
  it('200 with zeros for a new shop, and its ledger is empty', async () => {
    const shop = await makeShop(running)
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 0, held: 0 })
    expect((await shop.get('/api/external/wallet/entries')).body).toEqual({
      entries: [],
      meta: { page: 1, limit: 20, hasMore: false },
    })
  })

  it('each entry follows from the one before, however many changes overlap', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 10_000)
    await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        if (n % 6 === 5) return topUp(running, shop.shopId, 1_000)
        const sent = await shop.post('/api/external/notify-message/send', {
          templateId: template.id,
          receiverPhone: `09012345${10 + n}`,
          params: VALUES,
        })
        expect(sent.status).toBe(200)
      }),
    )
    const { entries } = (await shop.get('/api/external/wallet/entries?limit=100')).body
    expect(entries).toHaveLength(1 + 4 + 20 + 20)
    const ledger = [...entries].reverse()
    let [balance, held] = [0, 0]
    for (const { amount, heldChange, balanceAfter, heldAfter } of ledger) {
      balance += amount
      held += heldChange
      expect({ balanceAfter, heldAfter }).toEqual({ balanceAfter: balance, heldAfter: held })
    }
  })

  it('entries newest first with what was left after each, of this shop only', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 1000)
    const sent = await shop.post('/api/external/notify-message/send', {
      templateId: template.id,
      receiverPhone: '0901234567',
      params: VALUES,
    })
    await manage(running, 'POST', `/shops/${shop.shopId}/wallet/entries`, { amount: -300, note: 'sửa' })
    const messageId = sent.body.data.message_id
    const common = { _id: expect.any(String), id: expect.any(String), createdAt: expect.any(String) }
    const { entries, meta } = (await shop.get('/api/external/wallet/entries')).body
    expect(entries).toEqual([
      {
        ...common,
        type: 'correction',
        amount: -300,
        heldChange: 0,
        balanceAfter: 500,
        heldAfter: 0,
        messageId: null,
        note: 'sửa',
      },
      {
        ...common,
        type: 'capture',
        amount: 0,
        heldChange: -200,
        balanceAfter: 800,
        heldAfter: 0,
        messageId,
        note: '',
      },
      {
        ...common,
        type: 'hold',
        amount: -200,
        heldChange: 200,
        balanceAfter: 800,
        heldAfter: 200,
        messageId,
        note: '',
      },
      {
        ...common,
        type: 'top_up',
        amount: 1000,
        heldChange: 0,
        balanceAfter: 1000,
        heldAfter: 0,
        messageId: null,
        note: 'nạp',
      },
    ])
    expect(meta).toEqual({ page: 1, limit: 20, hasMore: false })
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 500, held: 0 })
    const other = await makeShop(running)
    expect((await other.get('/api/external/wallet/entries')).body.entries).toEqual([])
  })

  it('pages of limit, and hasMore says whether a further one is there', async () => {
    const shop = await makeShop(running)
    for (let n = 1; n <= 5; n++) await topUp(running, shop.shopId, n)
    const page = async (query: string) => {
      const { entries, meta } = (await shop.get(`/api/external/wallet/entries?${query}`)).body
      return { amounts: entries.map((entry: { amount: number }) => entry.amount), hasMore: meta.hasMore }
    }
    expect(await page('limit=2')).toEqual({ amounts: [5, 4], hasMore: true })
    expect(await page('limit=2&page=3')).toEqual({ amounts: [1], hasMore: false })
    expect(await page('limit=5')).toEqual({ amounts: [5, 4, 3, 2, 1], hasMore: false })
    expect(await page('limit=2&page=4')).toEqual({ amounts: [], hasMore: false })
  })

  it.each(['page=0', 'limit=0', 'limit=101', 'limit=x'])('400 for %s', async (query) => {
    const shop = await makeShop(running)
    expect((await shop.get(`/api/external/wallet/entries?${query}`)).status).toBe(400)
  })

  it('the ledger is append-only: the database refuses to change or delete an entry', async () => {
    const shop = await makeShop(running)
    await topUp(running, shop.shopId, 1000)
    const { db } = running.deps
    await expect(
      sql`update wallet_entries set amount = 2000 where shop_id = ${shop.shopId}`.execute(db),
    ).rejects.toThrow(/append-only/)
    await expect(sql`delete from wallet_entries where shop_id = ${shop.shopId}`.execute(db)).rejects.toThrow(
      /append-only/,
    )
    expect((await shop.get('/api/external/wallet/entries')).body.entries).toMatchObject([{ amount: 1000 }])
  })

  it('200 with a month’s entries as CSV, the oldest first, and none of another month', async () => {
    const shop = await makeShop(running)
    await topUp(running, shop.shopId, 1000)
    await manage(running, 'POST', `/shops/${shop.shopId}/wallet/entries`, { amount: -300, note: '=1+1' })
    const month = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 7)
    const statement = async (asked: string) =>
      running.app.inject({
        url: `/api/external/wallet/statement?month=${asked}`,
        headers: { 'x-api-key': `service-partner ${shop.apiKey}` },
      })
    const { headers, body } = await statement(month)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = body.trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('"top_up",1000,')
    expect(lines[2]).toContain('"correction",-300,')
    expect(lines[2]).toContain(`"'=1+1"`)
    expect((await statement('2025-01')).body.trim().split('\r\n')).toHaveLength(1)
    expect((await statement('2025-13')).statusCode).toBe(400)
  })
})
