import { describe, expect, it } from 'vitest'
import { makeShop, manage, separateService } from '../../support/service.ts'
import { control, insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'

const running = await separateService()
const PATH = '/api/external/official-accounts'

type Account = { breaker: { endpoint: string; state: string; retryAt: string | null }[] }
const circuitOf = ({ breaker }: Account, name: string) => breaker.find(({ endpoint }) => endpoint === name)

describe('G-24 the shop sees whether the platform takes its calls', () => {
  it('200 with the shop’s own accounts, every circuit closed and no secret', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const link = { secretKey: 'khoa-bi-mat', accessToken: 'ma-truy-cap', refreshToken: 'ma-lam-moi' }
    await manage(running, 'POST', `/shops/${shop.shopId}/official-accounts`, {
      oaId: `oa-${shop.shopId}`,
      name: 'Tiệm Nến Thơm',
      ...link,
    })
    expect((await other.get(PATH)).body.data).toEqual([])
    const { status, body } = await shop.get(PATH)
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { oaId: `oa-${shop.shopId}`, name: 'Tiệm Nến Thơm', status: 'CONNECTED' },
    ])
    expect(new Set(body.data[0].breaker.map((circuit: { state: string }) => circuit.state))).toEqual(
      new Set(['closed']),
    )
    for (const secret of Object.values(link)) expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('200 with an open circuit and its time after ten failures in a row; the other account’s stays closed', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await manage(running, 'POST', `/shops/${shop.shopId}/official-accounts`, {
      oaId: `second-${shop.shopId}`,
      name: 'Thứ hai',
    })
    await topUp(running, shop.shopId, 100_000)
    await control(running, '/faults', [{ kind: '5xx', endpoint: '/message/template', share: 1 }])
    for (let n = 0; n < 10; n++) {
      await shop.post('/api/external/notify-message/send', {
        templateId: template.id,
        receiverPhone: `09012345${10 + n}`,
        params: VALUES,
      })
    }
    await control(running, '/faults', [])
    const [first, second] = (await shop.get(PATH)).body.data
    expect(circuitOf(first, 'sendToPhone')).toMatchObject({ state: 'open' })
    expect(Date.parse(circuitOf(first, 'sendToPhone')?.retryAt ?? '')).toBeGreaterThan(Date.now())
    expect(circuitOf(first, 'sendToUid')).toEqual({ endpoint: 'sendToUid', state: 'closed', retryAt: null })
    expect(circuitOf(second, 'sendToPhone')).toMatchObject({ state: 'closed' })
  })

  it('an account without a token is not connected on a real platform', async () => {
    const address = running.simulatorUrl
    const platform = { businessUrl: address, openapiUrl: address, oauthUrl: address }
    const real = await separateService({ platform })
    const shop = await makeShop(real)
    await manage(real, 'POST', `/shops/${shop.shopId}/official-accounts`, { oaId: 'oa-1', name: 'Chưa nối' })
    expect((await shop.get(PATH)).body.data).toMatchObject([{ status: 'NOT_CONNECTED' }])
  })
})
