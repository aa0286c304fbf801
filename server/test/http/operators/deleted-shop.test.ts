import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { eraseDueShops, eraseShop } from '../../../src/modules/shops/deletion/erase-shop.ts'
import { inOrderOfDeletion } from '../../../src/modules/shops/deletion/rules.ts'
import { updateExported } from '../../../src/modules/shops/deletion/sql.ts'
import { listShopTables } from '../../../src/modules/shops/deletion/tables-sql.ts'
import { fetchImage, pictureBytes, upload } from '../../support/images.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { temporaryFolder } from '../../support/process.ts'
import {
  eventually,
  makeShop,
  manage,
  OPERATOR_TOKEN,
  type Partner,
  send,
  separateService,
  unusedId,
} from '../../support/service.ts'
import { insertShopRecords, type ShopRecords, snapshotShop } from '../../support/shop-records.ts'

const DAYS = 30
const folder = temporaryFolder()
const running = await separateService({ shopDeletionDays: DAYS, dataDir: folder.path })
afterAll(folder.remove)
const { db } = running.deps
const never = { aborted: false }

type Made = { shop: Partner; ids: ShopRecords; name: string }

async function makeFullShop(): Promise<Made> {
  const name = `Tiệm ${randomBytes(4).toString('hex')}`
  const shop = await makeShop(running, { name })
  const ids = await insertShopRecords(running, shop.shopId)
  const wallet = { amount: 500, note: 'Nạp' }
  await manage(running, 'POST', `/shops/${shop.shopId}/wallet/entries`, wallet)
  await manage(running, 'POST', `/shops/${shop.shopId}/wallet/entries`, { amount: -100, note: 'Sửa' })
  await sql`
    with held as (
      insert into wallet_entries (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, created_at)
      values (${shop.shopId}, ${unusedId()}, 'hold', -200, 200, 200, 200, ${ids.message}, now())
    ), taken as (
      insert into wallet_entries (shop_id, id, type, amount, held_change, balance_after, held_after, message_id, created_at)
      values (${shop.shopId}, ${unusedId()}, 'capture', 0, -200, 200, 0, ${ids.message}, now())
    )
    update wallets set balance = 200 where shop_id = ${shop.shopId}`.execute(db)
  await sql`
    insert into categories (shop_id, id, name, slug, parent_id, created_at, updated_at)
    values (${shop.shopId}, ${unusedId()}, 'Hoa cưới', 'hoa-cuoi', ${ids.category}, now(), now())`.execute(db)
  return { shop, ids, name }
}

const ask = ({ shop, name }: Made) => manage(running, 'PUT', `/shops/${shop.shopId}/deletion`, { name })
const read = async ({ shop }: Made) => (await manage(running, 'GET', `/shops/${shop.shopId}`)).body.data?.shop
const exported = async ({ shop }: Made) =>
  (
    await running.app.inject({
      url: `/api/manage/v1/shops/${shop.shopId}/export`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    })
  ).body
const becomeDue = ({ shop }: Made) =>
  sql`update shops set deletion_due_at = now() - interval '1 second' where id = ${shop.shopId}`.execute(db)

/** Requests the deletion, exports the data and lets the time pass. */
async function makeDue(made: Made): Promise<void> {
  expect((await ask(made)).status).toBe(200)
  await exported(made)
  await eventually(async () => (await read(made)).deletion.exportedAt !== null)
  await becomeDue(made)
}

const rowsOf = async ({ shop }: Made) =>
  Object.entries(await snapshotShop(running, shop.shopId)).filter(([, rows]) => rows.length > 0)

describe('G-69 the deletion of a shop', () => {
  it('200 suspends it at once and is due after the set time; 409 SHOP_IN_DELETION for resuming it; withdrawn, it is resumed', async () => {
    const made = await makeFullShop()
    const { shop } = made
    const wrong = await manage(running, 'PUT', `/shops/${shop.shopId}/deletion`, { name: 'Tiệm khác' })
    expect([wrong.status, wrong.body.validation.body.keys]).toEqual([400, ['name']])
    expect((await shop.get('/api/external/wallet')).status).toBe(200)
    const { deletion, suspendedAt } = (await ask(made)).body.data.shop
    expect(suspendedAt).not.toBeNull()
    expect(Date.parse(deletion.dueAt) - Date.parse(deletion.askedAt)).toBe(DAYS * 86_400_000)
    expect((await shop.get('/api/external/wallet')).body.code).toBe('SHOP_SUSPENDED')
    expect((await ask(made)).body.data.shop.deletion).toEqual(deletion)
    const resumed = await manage(running, 'DELETE', `/shops/${shop.shopId}/suspension`)
    expect([resumed.status, resumed.body.code]).toEqual([409, 'SHOP_IN_DELETION'])
    const kept = await manage(running, 'DELETE', `/shops/${shop.shopId}/deletion`)
    expect(kept.body.data.shop).toMatchObject({ deletion: null, suspendedAt })
    expect((await manage(running, 'DELETE', `/shops/${shop.shopId}/suspension`)).status).toBe(200)
    expect((await shop.get('/api/external/wallet')).status).toBe(200)
    const audit = await manage(running, 'GET', '/audit?action=shop.delete')
    expect(audit.body.data[0]).toMatchObject({ shopId: null, target: { shopId: shop.shopId } })
  })

  it('401 for the owner of the shop', async () => {
    const made = await makeFullShop()
    const owner = await makePerson(running.deps, { shopId: made.shop.shopId, role: 'owner' })
    const cookie = await signIn(running, owner.email)
    const path = `/api/manage/v1/shops/${made.shop.shopId}`
    expect((await send(running, 'PUT', `${path}/deletion`, { name: made.name }, { cookie })).status).toBe(401)
    expect((await send(running, 'GET', `${path}/export`, undefined, { cookie })).status).toBe(401)
  })

  it('is not erased before its time, nor before its export was read to the end', async () => {
    const made = await makeFullShop()
    await ask(made)
    await becomeDue(made)
    const stopping = new AbortController().signal
    expect(await eraseDueShops(running.deps, stopping)).toBe(0)
    await exported(made)
    await eventually(async () => (await read(made)).deletion.exportedAt !== null)
    await sql`update shops set deletion_due_at = now() + interval '1 minute' where id = ${made.shop.shopId}`.execute(
      db,
    )
    expect(await eraseDueShops(running.deps, stopping)).toBe(0)
    await becomeDue(made)
    expect(await eraseDueShops(running.deps, stopping)).toBe(1)
    expect((await manage(running, 'GET', `/shops/${made.shop.shopId}`)).status).toBe(404)
  })

  it('an export that began before the deletion was asked for does not count', async () => {
    const made = await makeFullShop()
    const begunAt = new Date()
    await ask(made)
    await updateExported(db, made.shop.shopId, { begunAt: new Date(begunAt.getTime() - 1), now: new Date() })
    expect((await read(made)).deletion.exportedAt).toBeNull()
    await updateExported(db, made.shop.shopId, { begunAt: new Date(), now: new Date() })
    expect((await read(made)).deletion.exportedAt).not.toBeNull()
  })

  it('one whose erasure fails does not keep the others', async () => {
    const made = [await makeFullShop(), await makeFullShop()]
    for (const one of made) await makeDue(one)
    const [failing, next] = made.map(({ shop }) => shop.shopId).toSorted()
    const images = {
      ...running.deps.images,
      removeSome: (shopId: string) =>
        shopId === failing ? Promise.reject(new Error('no store')) : running.deps.images.removeSome(shopId),
    }
    expect(await eraseDueShops({ ...running.deps, images }, new AbortController().signal)).toBe(1)
    const states = await Promise.all(
      [failing, next].map(async (id) => (await manage(running, 'GET', `/shops/${id}`)).status),
    )
    expect(states).toEqual([200, 404])
    expect(await eraseDueShops(running.deps, new AbortController().signal)).toBe(1)
  })

  it('the export has every row of the shop, its records as partners read them, and no secret', async () => {
    const made = await makeFullShop()
    await sql`update messages set has_otp = true, params = '{"otp": "135790"}' where shop_id = ${made.shop.shopId}`.execute(
      db,
    )
    const lines = (await exported(made))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toEqual({ type: 'end', count: lines.length - 1 })
    expect(lines.find(({ type }) => type === 'product').record).toMatchObject({
      _id: made.ids.product,
      name: 'Hoa hồng',
    })
    const types = new Set(lines.map(({ type }) => type))
    for (const type of [
      'shop',
      'product',
      'stock',
      'order',
      'customer',
      'news',
      'messages',
      'wallet_entries',
      'consents',
    ])
      expect(types).toContain(type)
    const text = JSON.stringify(lines)
    expect(text).not.toContain('135790')
    expect(lines.find(({ type }) => type === 'webhook_endpoints').record).not.toHaveProperty('secret')
    // Every table with rows of the shop is in the export, or among those that only the service needs.
    const inRecords =
      /^(change|product|orders|order_(items|counts)|sku|stock$|sub_|variant_|wholesale_|customers|news|message_counts|shop_counters|record_exports|webhook_outbox|idempotency_keys)/
    for (const [table] of await rowsOf(made)) if (!inRecords.test(table)) expect(types).toContain(table)
  })

  it('once erased, no table has a row of it and the store no image; the neighbour is untouched; a closing keeps the sums without names', async () => {
    const [made, neighbour] = [await makeFullShop(), await makeFullShop()]
    const image = await upload(running, made.shop, await pictureBytes('png'))
    const theirs = await upload(running, neighbour.shop, await pictureBytes('png'))
    const [gone, both] = [
      await makePerson(running.deps, { shopId: made.shop.shopId }),
      await makePerson(running.deps, { shopId: made.shop.shopId }),
    ]
    await sql`
      insert into members (shop_id, user_id, role, created_at, updated_at)
      values (${neighbour.shop.shopId}, ${both.id}, 'owner', now(), now())`.execute(db)
    for (const { ids } of [made, neighbour]) {
      await sql`
        insert into platform_events (id, oa_id, name, body, received_at, processed_at)
        values (${unusedId()}, ${ids.officialAccount}, 'user_send_text', '{}', now(), now())`.execute(db)
    }
    await makeDue(made)
    const before = await snapshotShop(running, neighbour.shop.shopId)
    const filled = (await rowsOf(made)).length
    expect(filled).toBeGreaterThan(30)

    expect(await eraseShop(running.deps, made.shop.shopId, never)).toBe(true)

    expect(await rowsOf(made)).toEqual([])
    expect(await snapshotShop(running, neighbour.shop.shopId)).toEqual(before)
    expect((await fetchImage(running, image.body.data.url)).status).toBe(404)
    expect((await fetchImage(running, theirs.body.data.url)).status).toBe(200)
    const people = await sql<{
      id: string
    }>`select id from users where id in (${gone.id}, ${both.id})`.execute(db)
    expect(people.rows).toEqual([{ id: both.id }])
    const events = await sql<{ oa_id: string }>`
      select oa_id from platform_events where oa_id in (${made.ids.officialAccount}, ${neighbour.ids.officialAccount})`.execute(
      db,
    )
    expect(events.rows).toEqual([{ oa_id: neighbour.ids.officialAccount }])
    const closed = await manage(running, 'GET', '/closed-shops')
    expect(closed.body.data[0]).toEqual({
      _id: made.shop.shopId,
      id: made.shop.shopId,
      askedAt: expect.any(String),
      erasingSince: expect.any(String),
      erasedAt: expect.any(String),
      toppedUp: 500,
      corrected: -100,
      charged: 200,
      chargedMessages: 1,
      owed: 0,
      balance: 200,
      held: 0,
    })
    expect((await made.shop.get('/api/external/wallet')).status).toBeOneOf([401, 403])
  })

  it('ended after any of its turns, the next one goes on; from the first on it is final and gone for other calls', async () => {
    const made = await makeFullShop()
    await makeDue(made)
    const { shopId } = made.shop
    let turns = 1
    while (!(await eraseShop(running.deps, shopId, upTo(turns)))) {
      expect(turns).toBeLessThan(500)
      if (turns === 1) {
        const kept = await manage(running, 'DELETE', `/shops/${shopId}/deletion`)
        expect([kept.status, kept.body.code]).toEqual([409, 'SHOP_BEING_ERASED'])
        expect((await manage(running, 'GET', `/shops/${shopId}/wallet`)).status).toBe(404)
        // As a late receipt writes one.
        await sql`
          insert into wallet_entries (shop_id, id, type, amount, held_change, balance_after, held_after, created_at)
          values (${shopId}, ${unusedId()}, 'correction', -50, 0, 150, 0, now())`.execute(db)
      }
      turns += 1
    }
    expect(turns).toBeGreaterThan(10)
    expect(await rowsOf(made)).toEqual([])
    const closed = await manage(running, 'GET', '/closed-shops')
    expect(closed.body.data[0]).toMatchObject({
      id: shopId,
      toppedUp: 500,
      corrected: -150,
      charged: 200,
      balance: 150,
    })
  })

  it('tables are erased before those that they refer to', async () => {
    const tables = inOrderOfDeletion(await listShopTables(db))
    const place = new Map(tables.map(({ table }, n) => [table, n]))
    for (const { table, parents } of tables)
      for (const parent of parents)
        if (place.has(parent))
          expect(place.get(table), `${table} → ${parent}`).toBeLessThan(place.get(parent)!)
    expect(tables.length).toBeGreaterThan(45)
  })
})

/** A signal that is aborted after it was read `turns` times. */
function upTo(turns: number): { aborted: boolean } {
  let left = turns
  return {
    get aborted() {
      return left-- <= 0
    },
  }
}
