import { describe, expect, it } from 'vitest'
import { eventually, makeShop, manage, send, separateService } from '../support/service.ts'
import { control, createTemplate, makeShopWithOa, publish, templateBody } from '../support/template-shop.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../support/templates.ts'
import { register, sendTest, whenAttempts } from '../support/webhooks.ts'

const running = await separateService({ outboundAllowPrivate: true })

describe('G-61 background queues', () => {
  it('200 with every queue, and a job that the platform does not let end is among the waiting', async () => {
    const partner = await makeShopWithOa(running)
    await control(running, '/faults', [{ kind: '5xx', endpoint: '/template', share: 1 }])
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    expect((await publish(partner, draft._id)).status).toBe(200)
    const { status, body } = await manage(running, 'GET', '/queues')
    await control(running, '/faults', [])
    expect(status).toBe(200)
    const sizes = Object.fromEntries(body.data.map((queue: { name: string }) => [queue.name, queue]))
    expect(Object.keys(sizes).sort()).toEqual([
      'deliver-webhook',
      'import-products',
      'retry-webhook',
      'submit-template',
    ])
    expect(sizes['submit-template'].waiting + sizes['submit-template'].active).toBe(1)
    expect(sizes['submit-template'].failed).toBe(0)
    expect(Date.now() - Date.parse(sizes['submit-template'].countedAt)).toBeLessThan(60_000)
  })

  it('G-62 200 with the deliveries that wait for another try among those to failing endpoints', async () => {
    const shop = await makeShop(running)
    const endpoint = await register(shop, 'http://127.0.0.1:9/')
    await sendTest(shop, endpoint._id)
    await whenAttempts(shop, endpoint._id, 1)
    const { body } = await manage(running, 'GET', '/queues')
    const none = { waiting: 0, active: 0, failed: 0 }
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...none, name: 'deliver-webhook' }),
        expect.objectContaining({ ...none, name: 'retry-webhook', waiting: 1 }),
      ]),
    )
  })

  it('401 without the operator’s token', async () => {
    const { apiKey } = await makeShop(running)
    for (const path of ['/api/manage/v1/queues', '/api/manage/v1/circuits']) {
      expect((await send(running, 'GET', path)).status).toBe(401)
      const headers = { 'x-api-key': `service-partner ${apiKey}` }
      expect((await send(running, 'GET', path, undefined, headers)).status).toBe(401)
    }
  })
})

describe('G-61 health of the platform for all shops', () => {
  it('200 naming shop and account whose calls failed, and until when they are refused', async () => {
    const shop = await makeShop(running, { name: 'Tiệm Nến Thơm' })
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 100_000)
    const circuits = async () =>
      (await manage(running, 'GET', '/circuits')).body.data.filter(
        ({ shopId }: { shopId: string }) => shopId === shop.shopId,
      )
    expect(await circuits()).toEqual([])
    await control(running, '/faults', [{ kind: '5xx', endpoint: '/message/template', share: 1 }])
    for (let n = 0; n < 10; n++) {
      await shop.post('/api/external/notify-message/send', {
        templateId: template.id,
        receiverPhone: `09012345${10 + n}`,
        params: VALUES,
      })
    }
    await control(running, '/faults', [])
    await eventually(async () => expect(await circuits()).not.toEqual([]))
    const found = (await circuits()).find(({ endpoint }: { endpoint: string }) => endpoint === 'sendToPhone')
    expect(found).toMatchObject({ shopName: 'Tiệm Nến Thơm', state: 'open' })
    expect(Date.parse(found.retryAt)).toBeGreaterThan(Date.now())
  })
})
