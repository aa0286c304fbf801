import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { isUniqueViolation } from '../../../src/db/client.ts'
import { acceptMessage } from '../../../src/modules/messages/send/send-message.ts'
import { onPostgres } from '../../support/database.ts'
import {
  countRows,
  isReplayed,
  keepRunning,
  keyRow,
  loseAnswer,
  makeSender,
  ORDER,
  withKey,
} from '../../support/idempotency.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { lockWaits } from '../../support/lock-waits.ts'
import { PRODUCTS } from '../../support/products.ts'
import { makeShop, service } from '../../support/service.ts'
import { TEMPLATES, templateBody } from '../../support/template-shop.ts'
import { control, insertEnabledTemplate, VALUES } from '../../support/templates.ts'
import { WEBHOOKS } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.deps

describe('G-10 an answer lost with its process', () => {
  it('E5: the retry returns the outcome of the message and sends nothing', async () => {
    const { shop, toPhone, sent } = await makeSender(running)
    const first = await toPhone(withKey('k'))
    await loseAnswer(db, shop.shopId, 'k')
    const again = await toPhone(withKey('k'))
    expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, false])
    expect(isReplayed(await toPhone(withKey('k')))).toBe(true)
    expect(await sent()).toHaveLength(1)
    await checkInvariants(db, shop.shopId)
  })

  it('E5: 202 for one that the dead process had accepted and perhaps sent', async () => {
    const { shop, toPhone } = await makeSender(running)
    const first = await toPhone(withKey('k'), '0901230006')
    expect(first).toMatchObject({ status: 202, body: { data: { status: 'UNKNOWN' } } })
    await loseAnswer(db, shop.shopId, 'k')
    expect(await toPhone(withKey('k'), '0901230006')).toMatchObject({ status: 202, body: first.body })
    expect(await countRows(db, 'messages', shop)).toBe(1)
  }, 30_000)

  it('E6: 400 with the platform’s number for one that was refused meanwhile; then the key is free', async () => {
    const { shop, toUid } = await makeSender(running)
    await toUid(withKey('k'))
    await sql`
      update messages set state = 'ERROR', error_code = '-227', error_text = 'user is banned', session_id = ''
      where shop_id = ${shop.shopId}`.execute(db)
    await loseAnswer(db, shop.shopId, 'k')
    const refused = await toUid(withKey('k'))
    expect(refused).toMatchObject({ status: 400, body: { error: -227, code: 'PLATFORM_REFUSED' } })
    expect(await keyRow(db, shop.shopId, 'k')).toBeUndefined()
  })

  it('E5: sent by the retry when the process died before it accepted anything', async () => {
    const { shop, toPhone, sent } = await makeSender(running)
    await toPhone(withKey('k'))
    const { resource_id: id } = await keyRow(db, shop.shopId, 'k')
    expect(id).toBe((await sent())[0]!.tracking_id)
    await loseAnswer(db, shop.shopId, 'k')
    const unused = '0'.repeat(23)
    await sql`
      update idempotency_keys set resource_id = ${`${unused}1`} where shop_id = ${shop.shopId}`.execute(db)
    expect((await toPhone(withKey('k'))).body.data.message_id).toBe(`${unused}1`)
    expect(await sent()).toHaveLength(2)
  })

  it.each([
    ['E1', 'templates', '/api/external/notify-template/create'],
    ['E10', 'products', PRODUCTS],
    ['E14', 'orders', ORDER],
    ['G-46', 'customers', '/api/external/v1/customers'],
    ['G-50', 'news', '/api/external/news'],
  ])('%s: the retry answers with the record of the first try (%s)', async (_clause, table, path) => {
    const shop = await makeShop(running)
    const product = await shop.post(PRODUCTS, { name: 'Hoa', price: 7 })
    const bodies: Record<string, object> = {
      templates: {
        oaId: 'oa',
        name: 'Xác nhận đơn',
        title: 'Đơn hàng mới',
        tag: '1',
        templateType: 'custom',
        imageType: 'logo',
        logoLight: 'https://cdn.example/l.png',
        logoDark: 'https://cdn.example/d.png',
        contentBlocks: [{ id: randomUUID(), type: 'paragraph', value: 'Cảm ơn quý khách' }],
        buttons: [],
        params: [],
        isCustomParams: true,
      },
      products: {
        name: 'Áo',
        price: 9,
        variants: [{ id: 'm', name: 'Màu', options: [{ id: 'r', value: 'Đỏ' }] }],
        skus: [{ name: 'Đỏ', price: 9, variantOptionIds: ['r'] }],
      },
      orders: { orderItems: [{ id: product.body.data._id, quantity: 2 }] },
      customers: { fullName: 'Lan', phone: '0901234567' },
      news: { title: 'Tin', content: '<p>Nội dung</p>' },
    }
    const before = await countRows(db, table, shop)
    const first = await shop.post(path, bodies[table], withKey('k'))
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
    await loseAnswer(db, shop.shopId, 'k')
    const again = await shop.post(path, bodies[table], withKey('k'))
    expect(again).toMatchObject({ status: first.status, body: first.body })
    expect(await countRows(db, table, shop)).toBe(before + 1)
  })

  it.each([
    ['G-37', PRODUCTS, () => ({ name: 'Hoa', price: 7 }), PRODUCTS],
    ['G-62', WEBHOOKS, () => ({ url: 'https://hooks.example.com/a', events: ['*'] }), WEBHOOKS],
    ['G-18', `${TEMPLATES}/create`, () => templateBody('oa'), TEMPLATES],
  ])(
    '%s: 404 for a record that was deleted after the first try (%s)',
    async (_clause, path, body, records) => {
      const shop = await makeShop(running)
      const sent = body()
      const create = () => shop.post(path, sent, withKey('k'))
      const first = (await create()).body
      const { _id: id } = first.data ?? first.template
      expect((await shop.call('DELETE', `${records}/${id}`)).status).toBe(200)
      await loseAnswer(db, shop.shopId, 'k')
      expect((await create()).status).toBe(404)
      const again = await create()
      expect([again.status, isReplayed(again)]).toEqual([404, true])
    },
  )

  it('G-15: publishing is found done', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId, { status: 'DRAFT' })
    const publish = () =>
      shop.post(`/api/external/notify-template/${template.id}/publish`, undefined, withKey('k'))
    expect(await publish()).toMatchObject({ status: 200, body: { template: { status: 'PENDING_REVIEW' } } })
    await loseAnswer(db, shop.shopId, 'k')
    const again = await publish()
    expect([again.status, isReplayed(again)]).toEqual([200, false])
    expect(await countRows(db, 'template_revisions', shop)).toBe(1)
  })

  it('E11: a change is made again, to the same values', async () => {
    const shop = await makeShop(running)
    const { _id: id } = (await shop.post(PRODUCTS, { name: 'Hoa', price: 7 })).body.data
    const change = { shopId: shop.shopId, price: 8 }
    await shop.call('PATCH', `${PRODUCTS}/${id}`, change, withKey('k'))
    await loseAnswer(db, shop.shopId, 'k')
    const again = await shop.call('PATCH', `${PRODUCTS}/${id}`, change, withKey('k'))
    expect(again).toMatchObject({ status: 200, body: { data: { price: 8 } } })
  })

  it('of tries at one message id at once, one is accepted and held for', async () => {
    const { shop, template } = await makeSender(running)
    const request = {
      templateId: template.id,
      channel: 'phone' as const,
      phone: '84901234567',
      userUid: '',
      isSample: false,
      params: VALUES,
      paramsPath: ['params'],
    }
    const id = running.deps.ids.next()
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => acceptMessage(running.deps, shop.shopId, request, id)),
    )
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of tries) {
      if (one.status === 'rejected') expect(isUniqueViolation(one.reason, 'messages_pkey')).toBe(true)
    }
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 9_800, held: 200 })
  })

  it.runIf(onPostgres)(
    'a retry that reaches the database with its late first try returns the outcome of that one’s message',
    async () => {
      const { shop, toPhone, sent } = await makeSender(running)
      const tries = await db.transaction().execute(async (trx) => {
        await sql`select from wallets where shop_id = ${shop.shopId} for update`.execute(trx)
        const first = toPhone(withKey('k'))
        await lockWaits(db, 1)
        await keepRunning(db, shop.shopId, 'k', new Date('2026-01-01'))
        const retried = toPhone(withKey('k'))
        await lockWaits(db, 2)
        return { first, retried }
      })
      const [first, retried] = [await tries.first, await tries.retried]
      expect([first.status, first.body.data.status]).toEqual([200, 'RECEIVED'])
      expect([200, 202]).toContain(retried.status)
      expect(retried.body.data.message_id).toBe(first.body.data.message_id)
      const again = await toPhone(withKey('k'))
      expect([again.status, again.body, isReplayed(again)]).toEqual([retried.status, retried.body, true])
      expect(await sent()).toHaveLength(1)
      await checkInvariants(db, shop.shopId)
    },
  )

  it('a late first try and its retry together have one effect', async () => {
    const { shop, toPhone, sent } = await makeSender(running)
    const slow = [{ kind: 'latency', endpoint: '/message/template', share: 1, latencyMs: 600 }]
    await control(running, '/faults', slow)
    try {
      const first = toPhone(withKey('k'))
      await expect.poll(() => countRows(db, 'messages', shop)).toBe(1)
      await keepRunning(db, shop.shopId, 'k', new Date('2026-01-01'))
      const retried = await toPhone(withKey('k'))
      expect(retried).toMatchObject({ status: 202, body: { data: { status: 'SENDING' } } })
      expect((await first).body.data.message_id).toBe(retried.body.data.message_id)
    } finally {
      await control(running, '/faults', [])
    }
    expect(await sent()).toHaveLength(1)
    await checkInvariants(db, shop.shopId)
  })
})
