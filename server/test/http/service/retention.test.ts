import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/process/config/read-config.ts'
import { deleteOldRecords } from '../../../src/process/retention/retention.ts'
import { eraseExpired } from '../../../src/process/retention/retention-walk.ts'
import { fetchImage, pictureBytes, upload } from '../../support/images.ts'
import { temporaryFolder } from '../../support/process.ts'
import { makeShop, type Partner, separateService, unusedId } from '../../support/service.ts'
import { insertShopRecords } from '../../support/shop-records.ts'

const DAYS = 10
const folder = temporaryFolder()
const running = await separateService({
  dataDir: folder.path,
  retention: {
    messageValuesDays: DAYS,
    auditDays: DAYS,
    platformEventsDays: 30,
    unusedImagesDays: DAYS,
    messageEventsMonths: undefined,
    orderEventsMonths: undefined,
  },
})
afterAll(folder.remove)
const { deps } = running
const { db } = deps
const never = { aborted: false }
const forEver = { ...deps.config, retention: readConfig({}).retention }
const ago = (days: number) => new Date(Date.now() - days * 86_400_000)

async function makeFullShop() {
  const shop = await makeShop(running)
  return { shop, ids: await insertShopRecords(running, shop.shopId) }
}

const messagesOf = async ({ shopId }: Partner) => {
  const { rows } = await sql<{ state: string; params: object; platform_answer: unknown; phone: string }>`
    select state, params, platform_answer, phone from messages where shop_id = ${shopId} order by state`.execute(
    db,
  )
  return rows
}

describe('what is kept for a time only', () => {
  it('by default messages’ values, audit logs and images are kept forever, the platform’s events 30 days', () => {
    expect(forEver.retention).toEqual({
      messageValuesDays: undefined,
      auditDays: undefined,
      platformEventsDays: 30,
      unusedImagesDays: undefined,
      messageEventsMonths: undefined,
      orderEventsMonths: undefined,
    })
  })

  it('of messages that have ended the values and the platform’s answers go, in every shop, and nothing else', async () => {
    const [old, young] = [await makeFullShop(), await makeFullShop()]
    for (const [{ shop }, days] of [
      [old, DAYS + 1],
      [young, DAYS - 1],
    ] as const) {
      await sql`
        update messages set created_at = ${ago(days)}, params = '{"ten": "Lan"}', platform_answer = '{"error": 0}'
        where shop_id = ${shop.shopId}`.execute(db)
    }
    const kept = { params: { ten: 'Lan' }, platform_answer: { error: 0 }, phone: '84912345678' }
    const all = [
      { state: 'QUEUED', ...kept },
      { state: 'RECEIVED', ...kept },
    ]
    expect(await eraseExpired({ ...deps, config: forEver }, never)).toEqual({ values: 0, images: 0 })
    expect(await messagesOf(old.shop)).toEqual(all)
    expect((await eraseExpired(deps, never)).values).toBe(1)
    expect(await messagesOf(old.shop)).toEqual([
      all[0],
      { state: 'RECEIVED', params: {}, platform_answer: null, phone: '84912345678' },
    ])
    expect(await messagesOf(young.shop)).toEqual(all)
    expect((await eraseExpired(deps, never)).values).toBe(0)
    const { histories } = (await old.shop.get('/api/external/notify-message/history')).body
    expect(histories).toHaveLength(1)
  })

  it('a shop is walked once a day, by one of several processes; the next walk goes on where it was, less the time that a message may take to end', async () => {
    const { shop } = await makeFullShop()
    const sentAt = (days: number) => sql`
      update messages set created_at = ${ago(days)}, params = '{"ten": "Lan"}' where shop_id = ${shop.shopId}`
    await sentAt(DAYS + 100).execute(db)
    const at = (days: number) => ({ ...deps, clock: { ...deps.clock, now: () => ago(-days) } })
    const both = await Promise.all([eraseExpired(at(0), never), eraseExpired(at(0), never)])
    expect(both.map(({ values }) => values).toSorted()).toEqual([0, 1])
    const isEmptied = async () => (await messagesOf(shop)).some(({ params }) => !('ten' in params))
    await sentAt(DAYS + 30).execute(db)
    await eraseExpired(at(0.5), never)
    expect(await isEmptied()).toBe(false)
    await eraseExpired(at(1), never)
    expect(await isEmptied()).toBe(true)
    await sentAt(DAYS + 45).execute(db)
    await eraseExpired(at(2), never)
    expect(await isEmptied()).toBe(false)
  })

  it('old entries of both audit logs go, newer ones stay; and no other way to change them opens', async () => {
    const { shopId } = await makeShop(running)
    const [old, young] = [unusedId(), unusedId()]
    for (const [id, days] of [
      [old, DAYS + 1],
      [young, DAYS - 1],
    ] as const) {
      await sql`
        insert into audit_entries (shop_id, id, actor, action, target, detail, created_at)
        values (${shopId}, ${id}, 'service', 'shop.update', '{}', '{}', ${ago(days)})`.execute(db)
      await sql`
        insert into operator_audit_entries (id, actor, action, target, detail, request_id, address, created_at)
        values (${id}, 'operator', 'people.erase', '{}', '{}', ${unusedId()}, '127.0.0.1', ${ago(days)})`.execute(
        db,
      )
    }
    for (const [what, table] of [
      ['audit entries', 'audit_entries'],
      ['audit entries of operators', 'operator_audit_entries'],
    ] as const) {
      expect(await deleteOldRecords({ ...deps, config: forEver }, what)).toBe(0)
      expect(await deleteOldRecords(deps, what)).toBe(1)
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(table)} where id in (${old}, ${young})`.execute(db)
      expect(rows).toEqual([{ id: young }])
      await expect(sql`delete from ${sql.table(table)} where id = ${young}`.execute(db)).rejects.toThrow(
        'append-only',
      )
    }
  })

  it('old images that no record names go; those that a product, an article or a template shows stay, and new ones', async () => {
    const { shop, ids } = await makeFullShop()
    const stored = async (width: number, isOld = true) => {
      const { url } = (await upload(running, shop, await pictureBytes('png', width, 10))).body.data
      const file = join(folder.path, new URL(url).pathname)
      if (isOld) await utimes(file, ago(DAYS + 1), ago(DAYS + 1))
      return url as string
    }
    const [unused, ofProduct, ofDraft, inArticle, fresh] = [
      await stored(11),
      await stored(12),
      await stored(13),
      await stored(14),
      await stored(15, false),
    ]
    const again = await stored(16)
    await stored(16, false)
    await sql`
      update products set images = ${JSON.stringify([ofProduct])}::jsonb,
        sku_drafts = ${JSON.stringify({ variants: [{ image: ofDraft }], skus: [] })}::jsonb
      where shop_id = ${shop.shopId}`.execute(db)
    await sql`
      update news set content = ${`<p><img src="${inArticle}"></p>`}
      where shop_id = ${shop.shopId} and id = ${ids.article}`.execute(db)
    const there = async () => {
      const found: string[] = []
      for (const url of [unused, ofProduct, ofDraft, inArticle, fresh, again])
        if ((await fetchImage(running, url)).status === 200) found.push(url)
      return found
    }
    expect(await there()).toHaveLength(6)
    await eraseExpired({ ...deps, config: forEver }, never)
    expect(await there()).toHaveLength(6)
    expect((await eraseExpired(deps, never)).images).toBe(1)
    expect(await there()).toEqual([ofProduct, ofDraft, inArticle, fresh, again])
  })
})
