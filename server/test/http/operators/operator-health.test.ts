import { describe, expect, it, onTestFinished } from 'vitest'
import { startCircuitWatch } from '../../../src/modules/operations/retry-circuits.ts'
import { createBreaker } from '../../../src/platform/breaker.ts'
import { BATCHES, batchTo, makeBatchShop, phones } from '../../support/batches.ts'
import { eventually, makeShop, manage, send, separateService, unusedId } from '../../support/service.ts'
import {
  control,
  createTemplate,
  makeShopWithOa,
  publish,
  templateBody,
} from '../../support/template-shop.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'
import { register, sendTest, whenAttempts } from '../../support/webhooks.ts'

const LOST = { kind: 'unknown', cause: 'timeout', surelyNotSent: false } as const
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
    await eventually(async () => (await circuits()).length > 0)
    const found = (await circuits()).find(({ endpoint }: { endpoint: string }) => endpoint === 'sendToPhone')
    expect(found).toMatchObject({ shopName: 'Tiệm Nến Thơm', state: 'open' })
    expect(Date.parse(found.retryAt)).toBeGreaterThan(Date.now())
  })

  it('200 trying again: a batch that waits goes on at once, and so does another process; 404 for another shop’s account', async () => {
    const { deps } = running
    const sender = await makeBatchShop(running)
    const { shop } = sender
    const shopPath = `/shops/${shop.shopId}`
    const accountId = (await manage(running, 'GET', `${shopPath}/official-accounts`)).body.data[0]._id
    const path = `${shopPath}/circuits/${accountId}/retry`
    await control(running, '/faults', [{ kind: '5xx', endpoint: '/message/template', share: 1 }])
    const made = await shop.post(BATCHES, batchTo(sender, phones(30)))
    const batch = async () => (await shop.get(`${BATCHES}/${made.body.data._id}`)).body.data
    const waiting = await eventually(async () => {
      const { waiting: wait, progress } = await batch()
      return wait?.reason === 'PLATFORM_UNAVAILABLE' && progress.sending === 0 && wait
    }, 20_000)

    // Another process has its own circuit, and reads what the operator asks of this one.
    const breaker = createBreaker(deps.clock)
    const platform = breaker.wrap({ ...deps.platform, messageStatus: async () => LOST })
    const account = { shopId: shop.shopId, oaId: sender.template.oaId }
    for (let n = 0; n < 10; n++) await platform.messageStatus(account, 'm')
    const stateThere = () => breaker.circuit(account.oaId, 'messageStatus').state
    expect(stateThere()).toBe('open')
    const stopWatch = startCircuitWatch({ ...deps, breaker })
    onTestFinished(stopWatch)

    await control(running, '/faults', [])
    const other = await makeShop(running)
    const missing = [
      `/shops/${other.shopId}/circuits/${accountId}/retry`,
      `${shopPath}/circuits/${unusedId()}/retry`,
    ]
    for (const one of missing) expect((await manage(running, 'POST', one)).status).toBe(404)
    expect(stateThere()).toBe('open')
    const { status, body } = await manage(running, 'POST', path)
    expect(status).toBe(200)
    const sending = body.data.find(({ endpoint }: { endpoint: string }) => endpoint === 'sendToPhone')
    expect(sending).toMatchObject({ accountId, state: 'half-open', retryAt: null })
    const done = await eventually(async () => {
      const now = await batch()
      return now.waiting === null && now.progress.queued + now.progress.sending < 30 && now
    }, 10_000)
    expect(Date.parse(done.updatedAt)).toBeLessThan(Date.parse(waiting.resumesAt))
    await eventually(async () => stateThere() === 'half-open')
    const audit = (await manage(running, 'GET', `${shopPath}/audit`)).body.data
    expect(audit[0]).toMatchObject({
      action: 'official_account.retry',
      target: { accountId },
      actor: 'operator',
    })
    await eventually(async () => (await manage(running, 'POST', path)).body.data.length === 0)
  }, 60_000)
})
