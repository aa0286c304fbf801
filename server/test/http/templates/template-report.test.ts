import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { updateStanding } from '../../../src/modules/templates/report/sql.ts'
import { BATCHES, batchTo, makeBatchShop, messageRows, phones } from '../../support/batches.ts'
import { eventually, makeShop, manage, type Partner, service, unusedId } from '../../support/service.ts'
import { insertEnabledTemplate } from '../../support/templates.ts'

const running = await service()
const { db } = running.database
const REPORT = '/api/external/notify-template/report'
const today = () => new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
type Counts = { accepted: number }
const report = async (shop: Partner, query = '') => (await shop.get(`${REPORT}${query}`)).body.data

/** The counters, and the values that follow from the messages themselves. */
async function compared(shopId: string) {
  const { rows: counted } = await sql`
    select template_id, day::text, accepted, delivered, failed, spend
    from template_days
    where shop_id = ${shopId} and (accepted, delivered, failed, spend) <> (0, 0, 0, 0)
    order by template_id, day`.execute(db)
  const { rows: summed } = await sql`
    select template_id, shop_day(sending_at)::text as day, count(*) filter (where state = 'RECEIVED') as accepted,
      count(*) filter (where state = 'RECEIVED' and delivered_at is not null) as delivered,
      count(*) filter (where state = 'ERROR' and error_code is distinct from 'CANCELLED') as failed,
      coalesce(sum(fee) filter (where state = 'RECEIVED'), 0)::bigint as spend
    from messages
    where shop_id = ${shopId} and state in ('RECEIVED', 'ERROR')
    group by 1, 2
    order by 1, 2`.execute(db)
  return { counted, summed }
}

describe('G-120 GET notify-template/report', () => {
  it('200 with what each template’s messages came to by day, as the messages themselves have it', async () => {
    const made = await makeBatchShop(running)
    const { shop, template } = made
    const other = await insertEnabledTemplate(running, shop.shopId)
    const later = { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }
    await shop.post(BATCHES, batchTo(made, phones(5), later))
    expect(
      (await report(shop)).templates.filter(({ total }: { total: Counts }) => total.accepted > 0),
    ).toEqual([])
    const ids = (await messageRows(running, shop.shopId)).map(({ id }) => id)
    const end = (some: string[], state: 'RECEIVED' | 'ERROR') =>
      sql`
      update messages
      set state = ${state}, session_id = case when ${state} = 'RECEIVED' then id else '' end,
        error_code = case when ${state} = 'ERROR' then '-118' end
      where shop_id = ${shop.shopId} and id = any(${some}::text[])`.execute(db)
    await end(ids.slice(0, 3), 'RECEIVED')
    await end(ids.slice(3, 4), 'ERROR')
    await sql`
      update messages set delivered_at = now()
      where shop_id = ${shop.shopId} and id = any(${ids.slice(0, 2)}::text[])`.execute(db)
    // A message of the other template, sent 40 days ago.
    await sql`
      update messages
      set template_id = ${other.id}, state = 'RECEIVED', session_id = id, created_at = now() - interval '40 days'
      where shop_id = ${shop.shopId} and id = ${ids[4]!}`.execute(db)
    const total = { accepted: 3, delivered: 2, failed: 1, spend: 600 }
    // The platform may have reported its quality by now.
    const standing = { quality: expect.toBeOneOf([null, 'HIGH']), dailyQuota: null }
    expect((await report(shop)).templates.slice(0, 1)).toEqual([
      {
        _id: template.id,
        templateId: template.platformTemplateId,
        name: expect.any(String),
        total,
        ...standing,
        days: [{ day: today(), ...total, ...standing }],
      },
    ])
    const both = await report(shop, '?days=60')
    expect(both.templates.map(({ _id }: { _id: string }) => _id)).toEqual([template.id, other.id])
    const { counted, summed } = await compared(shop.shopId)
    expect(counted).toEqual(summed)
    expect(counted).toHaveLength(2)
    // The platform may report its quality between the two calls.
    await eventually(async () => {
      const asOperator = await manage(running, 'GET', `/shops/${shop.shopId}/template-report`)
      return isDeepStrictEqual(asOperator.body.data, await report(shop))
    })
    expect((await manage(running, 'GET', `/shops/${unusedId()}/template-report`)).status).toBe(404)
  })

  it('notes the platform’s quality and quota on their day, the last value of each day', async () => {
    const { shop, template } = await makeBatchShop(running)
    const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000)
    const note = (standing: object, daysAgo: number) =>
      updateStanding(db, shop.shopId, template.id, { ...standing, now: at(daysAgo) })
    await note({ quality: 'HIGH' }, 3)
    await note({ quality: 'LOW' }, 1)
    await note({ quality: 'MEDIUM' }, 1)
    await note({ dailyQuota: 500 }, 1)
    // Without today, for which the platform itself reports values.
    const from = new Date(Date.now() + 7 * 3_600_000 - 9 * 86_400_000).toISOString().slice(0, 10)
    const { templates } = await report(shop, `?from=${from}&days=9`)
    expect(templates).toMatchObject([{ quality: 'MEDIUM', dailyQuota: 500, total: { accepted: 0 } }])
    expect(
      templates[0].days.map((day: { quality: string; dailyQuota: number }) => [day.quality, day.dailyQuota]),
    ).toEqual([
      ['HIGH', null],
      ['MEDIUM', 500],
    ])
    expect((await report(await makeShop(running))).templates).toEqual([])
  })

  it('400 for more than 92 days and for an invalid day', async () => {
    const shop = await makeShop(running)
    for (const query of ['?days=93', '?days=0', '?from=2026-13-01'])
      expect((await shop.get(`${REPORT}${query}`)).status).toBe(400)
  })
})
