import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, manage, service } from '../../support/service.ts'

const running = await service()
const KEYS = { apiKey: 'api-key-of-the-shop', secretKey: 'secret-key-of-the-shop' }
const SENDER = { brandname: 'TIEM HOA', price: 420 }

const pathOf = (shopId: string) => `/shops/${shopId}/sms`
const set = (shopId: string, body: object) => manage(running, 'PUT', pathOf(shopId), body)

async function keysOf(shopId: string): Promise<Record<string, string> | undefined> {
  const { rows } = await sql<{ keys: Uint8Array }>`
    select keys
    from sms_senders
    where shop_id = ${shopId}`.execute(running.deps.db)
  return rows[0] && JSON.parse(running.deps.secrets.open(rows[0].keys))
}

describe('G-90 who sends a shop’s SMS', () => {
  it('200 null, then what was set, without its keys, which are sealed; another shop’s stays as it is', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    expect(await manage(running, 'GET', pathOf(shop.shopId))).toMatchObject({
      status: 200,
      body: { data: null },
    })
    const made = await set(shop.shopId, { ...SENDER, ...KEYS })
    expect([made.status, made.body.data]).toMatchObject([200, { provider: 'esms', ...SENDER }])
    const read = await manage(running, 'GET', pathOf(shop.shopId))
    expect(read.body.data).toEqual(made.body.data)
    expect(JSON.stringify(read.body)).not.toContain('key')
    expect((await manage(running, 'GET', pathOf(other.shopId))).body.data).toBeNull()
    expect(await keysOf(shop.shopId)).toMatchObject(KEYS)
  })

  it('200 with another price and the same keys; new keys bring another address for reports', async () => {
    const { shopId } = await makeShop(running)
    await set(shopId, { ...SENDER, ...KEYS })
    const before = await keysOf(shopId)
    expect((await set(shopId, { ...SENDER, price: 500 })).body.data.price).toBe(500)
    expect(await keysOf(shopId)).toEqual(before)
    await set(shopId, { ...SENDER, ...KEYS, secretKey: 'another' })
    expect(await keysOf(shopId)).toMatchObject({ ...KEYS, secretKey: 'another' })
    expect((await keysOf(shopId))?.reportKey).not.toBe(before?.reportKey)
  })

  it.each([
    ['no keys at first', { ...SENDER }],
    ['one key without the other', { ...SENDER, apiKey: 'a' }],
    ['the other without the one', { ...SENDER, secretKey: 'a' }],
    ['an unknown provider', { ...SENDER, ...KEYS, provider: 'fax' }],
    ['a price of 0', { ...SENDER, ...KEYS, price: 0 }],
    ['a broken price', { ...SENDER, ...KEYS, price: 1.5 }],
    ['a brandname that no phone shows', { ...SENDER, ...KEYS, brandname: 'Tiệm Hoa' }],
    ['a blank brandname', { ...SENDER, ...KEYS, brandname: ' ' }],
    ['another field', { ...SENDER, ...KEYS, mode: 'x' }],
  ])('400 for %s, and nothing is set', async (_name, body) => {
    const { shopId } = await makeShop(running)
    expect((await set(shopId, body)).status).toBe(400)
    expect(await keysOf(shopId)).toBeUndefined()
  })

  it('200 removed, 404 the second time; both changes are in the audit log without a key', async () => {
    const { shopId } = await makeShop(running)
    await set(shopId, { ...SENDER, ...KEYS })
    expect((await manage(running, 'DELETE', pathOf(shopId))).body.data).toMatchObject(SENDER)
    expect((await manage(running, 'DELETE', pathOf(shopId))).status).toBe(404)
    const { body } = await manage(running, 'GET', `/shops/${shopId}/audit`)
    const entries = body.data.filter(({ action }: { action: string }) => action.startsWith('sms_sender'))
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'sms_sender.remove',
      'sms_sender.set',
    ])
    expect(entries[1].detail).toMatchObject({ ...SENDER, credentials: ['apiKey', 'secretKey'] })
    for (const key of Object.values(KEYS)) expect(JSON.stringify(body)).not.toContain(key)
  })
})
