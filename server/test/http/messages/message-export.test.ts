import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeSender, sendTo } from '../../support/senders.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'
import { insertEnabledTemplate } from '../../support/templates.ts'

const running = await service()
const { db } = running.deps
const HISTORY = '/api/external/notify-message/history'
const EXPORT = `${HISTORY}/export`

async function lines(
  partner: Partner,
  query: Record<string, string> = {},
): Promise<Record<string, string>[]> {
  const answer = await partner.get(`${EXPORT}?${new URLSearchParams(query)}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return parse(answer.body, { bom: true, columns: true })
}

const idsOf = (records: { id?: string }[]) => records.map(({ id }) => id)

describe('G-25 GET message history export', () => {
  it('200 with a CSV file: a line a message with its reason, what it cost, and its one-time password masked', async () => {
    const sender = await makeSender(running)
    for (const phone of ['0912345678', '0912340001']) await sendTo(sender, phone)
    const answer = await sender.shop.get(EXPORT)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="messages-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const [refused, received] = await lines(sender.shop)
    const { histories } = (await sender.shop.get(HISTORY)).body
    expect(idsOf([refused!, received!])).toEqual(idsOf(histories))
    expect(received).toMatchObject({
      channel: 'phone',
      phone: '84912345678',
      templateId: histories[1].templateId,
      status: 'RECEIVED',
      reason: '',
      reasonCode: '',
      charged: '200',
      sessionId: histories[1].sessionId,
    })
    const { error, code } = JSON.parse(histories[0].reason)
    expect(refused).toMatchObject({
      phone: '84912340001',
      status: 'ERROR',
      reason: error,
      reasonCode: String(code),
      charged: '0',
      sessionId: '',
    })
    expect(received!.params).toBe(refused!.params)
    expect(JSON.parse(received!.params!)).toEqual(JSON.parse(histories[0].reason).params)
    const inVietnamese = await sender.shop.get(EXPORT, { 'accept-language': 'vi' })
    expect(inVietnamese.body).not.toContain(error)
  })

  it('every message once over many chunks, of equal times too, and what each filter of the history finds', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await sql`
      insert into messages
        (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, user_uid, params, state, fee, session_id,
        error_code, error_text, sent_at, delivered_at, created_at, updated_at)
      select ${shop.shopId}, lpad(to_hex(n), 24, '0'), ${template.id}, ${template.platformTemplateId}, ${template.oaId},
        case when n % 10 = 0 then 'uid' else 'phone' end, case when n % 10 = 0 then '' else '8490000000' || n % 7 end,
        case when n % 10 = 0 then 'user' || n else '' end, '{}', case when n % 4 = 0 then 'ERROR' else 'RECEIVED' end, 0,
        case when n % 4 = 0 then '' else 'session-' || n end, case when n % 4 = 0 then '-118' end, case when n % 4 = 0 then 'no account' end,
        now(), case when n % 4 > 1 then now() end, timestamptz '2026-01-01T00:00:00.000123Z' + (n % 7) * interval '1 microsecond', now()
      from generate_series(1, 1203) as n`.execute(db)
    const { rows } = await sql<{ id: string }>`
      select id from messages where shop_id = ${shop.shopId} order by sending_at desc, id desc`.execute(db)
    expect(idsOf(await lines(shop))).toEqual(idsOf(rows))
    for (const filter of [
      { status: 'ERROR' },
      { channel: 'uid' },
      { phone: '84900000003' },
      { delivered: 'true' },
      { delivered: 'false' },
      { templateId: template.id, status: 'RECEIVED' },
      { from: '2026-01-02' },
      { from: '2026-01-01', to: '2026-01-02' },
    ] as Record<string, string>[]) {
      const { meta } = (await shop.get(`${HISTORY}?${new URLSearchParams(filter)}`)).body
      expect(await lines(shop, filter), JSON.stringify(filter)).toHaveLength(meta.total)
    }
  })

  it('200 with only the messages of `ids` that the shop has; 400 for a malformed id', async () => {
    const [sender, other] = [await makeSender(running), await makeSender(running)]
    await sendTo(sender, '0912345678')
    await sendTo(sender, '0912345679')
    await sendTo(other, '0912345678')
    const [newest] = await lines(sender.shop)
    const [foreign] = await lines(other.shop)
    expect(idsOf(await lines(sender.shop, { ids: `${newest!.id},${foreign!.id}` }))).toEqual([newest!.id])
    expect(await lines(sender.shop, { ids: newest!.id!, status: 'ERROR' })).toEqual([])
    const { status, body } = await sender.shop.get(`${EXPORT}?ids=x`)
    expect([status, body.validation?.query.keys]).toEqual([400, ['ids']])
  })
})
