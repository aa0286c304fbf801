import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { BATCHES, batchTo, makeBatchShop, messageRows, phones } from '../../support/batches.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { eventually, makeShop, manage, send, separateService } from '../../support/service.ts'
import { messagesOnPlatform } from '../../support/templates.ts'
import { makeReceiver, register } from '../../support/webhooks.ts'

const running = await separateService({ outboundAllowPrivate: true })
const refused = { status: 403, code: 'SHOP_SUSPENDED' }

const suspend = (shopId: string) =>
  manage(running, 'PUT', `/shops/${shopId}/suspension`, { reason: 'Nợ phí' })
const resume = (shopId: string) => manage(running, 'DELETE', `/shops/${shopId}/suspension`)

describe('G-69 a suspended shop', () => {
  it('403 SHOP_SUSPENDED at once for its key, its members and its owner in management; 200 for the operator and other shops, and after it is resumed', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    const owner = await makePerson(running.deps, { shopId: shop.shopId, role: 'owner' })
    const cookie = await signIn(running, owner.email)
    const calls = async () => {
      const answers = [
        await shop.get('/api/external/wallet'),
        await send(running, 'GET', '/api/external/wallet', undefined, { cookie, 'x-shop-id': shop.shopId }),
        await send(running, 'GET', `/api/manage/v1/shops/${shop.shopId}/keys`, undefined, { cookie }),
      ]
      return answers.map(({ status, body }) => ({ status, code: body.code }))
    }
    const allowed = { status: 200, code: undefined }
    expect(await calls()).toEqual([allowed, allowed, allowed])
    const suspended = await suspend(shop.shopId)
    expect(suspended.body.data.shop).toMatchObject({
      suspendedAt: expect.any(String),
      suspensionReason: 'Nợ phí',
    })
    expect(await calls()).toEqual([refused, refused, refused])
    expect((await suspend(shop.shopId)).body.data.shop).toEqual(suspended.body.data.shop)
    expect((await manage(running, 'GET', `/shops/${shop.shopId}`)).status).toBe(200)
    expect((await other.get('/api/external/wallet')).status).toBe(200)
    const resumed = await send(
      running,
      'DELETE',
      `/api/manage/v1/shops/${shop.shopId}/suspension`,
      undefined,
      { cookie },
    )
    expect(resumed.status).toBe(401)
    expect((await resume(shop.shopId)).body.data.shop.suspendedAt).toBeNull()
    expect(await calls()).toEqual([allowed, allowed, allowed])
    const audit = await manage(running, 'GET', `/shops/${shop.shopId}/audit`)
    expect(audit.body.data.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
      'shop.resume',
      'shop.suspend',
    ])
  })

  it('403 within 5 s after another process has suspended it', async () => {
    const shop = await makeShop(running)
    expect((await shop.get('/api/external/wallet')).status).toBe(200)
    await sql`update shops set suspended_at = now() where id = ${shop.shopId}`.execute(running.deps.db)
    await eventually(async () => (await shop.get('/api/external/wallet')).status === 403, 5_500)
  })

  it('its queued messages and webhooks wait, and go out once it is resumed', async () => {
    const made = await makeBatchShop(running)
    const { shop, template } = made
    const receiver = await makeReceiver()
    await register(shop, receiver.url, ['*'])
    await eventually(async () => (await messagesOnPlatform(running, template.oaId)).length === 0)
    const soon = new Date(Date.now() + 1_000).toISOString()
    const batch = await shop.post(BATCHES, batchTo(made, phones(3), { scheduledAt: soon }))
    expect(batch.status).toBe(202)
    await suspend(shop.shopId)
    // An event of the suspended shop, as a receipt of the platform writes it.
    await sql`
      insert into shop_events (shop_id, id, type, data, created_at)
      values (${shop.shopId}, ${running.deps.ids.next()}, 'wallet.low', '{"balance": 1}', now())`.execute(
      running.deps.db,
    )
    await pause(3_000)
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
    expect((await messageRows(running, shop.shopId)).map(({ state }) => state)).toEqual([
      'QUEUED',
      'QUEUED',
      'QUEUED',
    ])
    expect(receiver.deliveries).toEqual([])
    await resume(shop.shopId)
    await eventually(async () => (await messagesOnPlatform(running, template.oaId)).length === 3, 10_000)
    await eventually(async () => receiver.deliveries.length >= 4, 10_000)
  })
})
