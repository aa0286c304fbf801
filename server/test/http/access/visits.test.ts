import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/process/app.ts'
import { POS, stockedSku } from '../../support/inventory.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, manage, type Service, send, separateService, unusedId } from '../../support/service.ts'
import { insertEnabledTemplate, topUp } from '../../support/templates.ts'

const shared = await separateService()
let aheadMs = 0
const clock = { now: () => new Date(Date.now() + aheadMs) }
const running: Service = { ...shared, app: await buildApp({ ...shared.deps, clock }) }
afterAll(() => running.app.close())

const ORDERS = '/api/external/v1/orders'
const visit = (cookie: string, shopId: string, method: 'PUT' | 'DELETE' = 'PUT', headers = {}) =>
  send(running, method, `/api/console/v1/visits/${shopId}`, undefined, { cookie, ...headers })
const within = (
  cookie: string,
  shopId: string,
  path = ORDERS,
  method: 'GET' | 'POST' = 'GET',
  body?: object,
) => send(running, method, path, body, { cookie, 'x-shop-id': shopId })
const shopsOf = async (cookie: string) =>
  (await send(running, 'GET', '/api/console/v1/me', undefined, { cookie })).body.data.shops
async function operator() {
  const person = await makePerson(running.deps, { isOperator: true })
  return { ...person, cookie: await signIn(running, person.email) }
}

describe('G-61 an operator who looks at a shop', () => {
  it('200: as its viewer, marked, with an entry in the shop’s audit log, until they leave', async () => {
    const shop = await makeShop(running)
    const { id, cookie } = await operator()
    expect((await within(cookie, shop.shopId)).status).toBe(401)
    expect(await shopsOf(cookie)).toEqual([])
    const began = await visit(cookie, shop.shopId)
    expect(began.status, JSON.stringify(began.body)).toBe(200)
    const { until } = began.body.data
    expect(Math.abs(Date.parse(until) - Date.now() - 30 * 60_000)).toBeLessThan(60_000)
    expect((await within(cookie, shop.shopId)).status).toBe(200)
    expect(await shopsOf(cookie)).toMatchObject([{ _id: shop.shopId, role: 'viewer', visitUntil: until }])

    const sku = await stockedSku(shop, 5)
    const order = { orderItems: [{ id: sku, quantity: 1 }] }
    expect(await within(cookie, shop.shopId, POS, 'POST', order)).toMatchObject({ status: 403 })
    expect((await shop.get(ORDERS)).body.data.orders).toEqual([])
    // Only in that shop.
    expect((await within(cookie, (await makeShop(running)).shopId)).status).toBe(401)

    expect((await visit(cookie, shop.shopId, 'DELETE')).body.data).toEqual({
      shopId: shop.shopId,
      until: null,
    })
    expect((await within(cookie, shop.shopId)).status).toBe(401)
    expect(await shopsOf(cookie)).toEqual([])
    const log = await manage(running, 'GET', `/shops/${shop.shopId}/audit`)
    expect(log.body.data.slice(0, 2)).toMatchObject([
      { action: 'shop.leave', actor: 'member', actorId: id },
      { action: 'shop.visit', actor: 'member', actorId: id, requestId: began.headers['x-request-id'] },
    ])
  })

  it('after 30 minutes no longer, also where the visit was remembered', async () => {
    const shop = await makeShop(running)
    const { cookie } = await operator()
    await visit(cookie, shop.shopId)
    expect((await within(cookie, shop.shopId)).status).toBe(200)
    aheadMs = 30 * 60_000 + 1_000
    expect((await within(cookie, shop.shopId)).status).toBe(401)
    expect(await shopsOf(cookie)).toEqual([])
    aheadMs = 0
  })

  it('does not let another operator in, nor one who has been removed', async () => {
    const shop = await makeShop(running)
    const [one, other] = [await operator(), await operator()]
    await visit(one.cookie, shop.shopId)
    expect((await within(other.cookie, shop.shopId)).status).toBe(401)
    expect((await manage(running, 'DELETE', `/operators/${one.id}`)).status).toBe(200)
    expect((await within(one.cookie, shop.shopId)).status).toBe(401)
  })

  it('401 without a session, 403 from another site, 404 for everybody else, without an entry', async () => {
    const shop = await makeShop(running)
    const { cookie } = await operator()
    const owner = await makePerson(running.deps, { shopId: shop.shopId })
    const both = await makePerson(running.deps, { shopId: shop.shopId, isOperator: true })
    const token = { authorization: 'Bearer operator-token-of-the-tests' }
    const path = `/api/console/v1/visits/${shop.shopId}`
    expect((await send(running, 'PUT', path, undefined, token)).status).toBe(401)
    expect((await visit(cookie, shop.shopId, 'PUT', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await visit(cookie, unusedId())).status).toBe(404)
    for (const person of [owner, both]) {
      expect((await visit(await signIn(running, person.email), shop.shopId)).status).toBe(404)
    }
    const log = await manage(running, 'GET', `/shops/${shop.shopId}/audit?action=shop.visit`)
    expect(log.body.data).toEqual([])
  })
})

describe('the operator’s list of shops', () => {
  it('200 with each shop’s wallet, activity and health, by what is left in the wallet or by name', async () => {
    const word = `Sao ${Date.now()}`
    const made = []
    for (const [name, money] of [
      ['B', 70_000],
      ['A', 90_000],
      ['C', 100],
    ] as const) {
      const shop = await makeShop(running, { name: `${word} ${name}` })
      await topUp(running, shop.shopId, money)
      made.push(shop)
    }
    const [first] = made
    await insertEnabledTemplate(running, first!.shopId)
    await first!.post(POS, { orderItems: [{ id: await stockedSku(first!, 5), quantity: 1 }] })
    const list = async (query = '') =>
      (await manage(running, 'GET', `/shops?search=${encodeURIComponent(word)}${query}`)).body
    const names = async (query: string) =>
      (await list(query)).data.map(({ name }: { name: string }) => name.at(-1)).join('')
    expect(await names('')).toBe('CAB')
    expect(await names('&sortBy=name')).toBe('ABC')
    expect(await names('&sortBy=balance')).toBe('CBA')
    const { data } = await list('&sortBy=name')
    expect(data[1].summary).toMatchObject({
      balance: 70_000,
      held: 0,
      isWalletLow: false,
      messagesIn30Days: 0,
      accounts: 1,
      disconnectedAccounts: 0,
      disabledWebhooks: 0,
    })
    expect(Math.abs(Date.parse(data[1].summary.lastActivityAt) - Date.now())).toBeLessThan(60_000)
    expect(data[2].summary).toMatchObject({ balance: 100, isWalletLow: true, lastActivityAt: null })
    // Page by page with cursors, in each order.
    for (const order of ['createdAt', 'name', 'balance']) {
      const seen: string[] = []
      let cursor: string | null = '*'
      while (cursor !== null) {
        const page = await list(`&limit=1&sortBy=${order}&cursor=${encodeURIComponent(cursor)}`)
        seen.push(...page.data.map(({ name }: { name: string }) => name.at(-1)))
        cursor = page.meta.nextCursor
      }
      expect(seen.join(''), order).toBe({ createdAt: 'CAB', name: 'ABC', balance: 'CBA' }[order])
    }
  })
})
