import { describe, expect, it } from 'vitest'
import { makeShop, manage, send, service, unusedId } from '../support/service.ts'

const running = await service()

describe('G-61 management API', () => {
  it('201 with the shop and a key that works at once', async () => {
    const made = await manage(running, 'POST', '/shops', { name: 'Cửa hàng Hoa' })
    expect(made.status).toBe(201)
    expect(made.body.data.shop).toMatchObject({ name: 'Cửa hàng Hoa', language: 'vi', oversell: 'allow' })
    expect(made.body.data.apiKey).toMatch(/^sb_live_[0-9A-Za-z]{36}$/)
  })

  it('401 without the operator token, and with a shop key', async () => {
    const { apiKey } = await makeShop(running)
    const tries: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { 'x-api-key': `service-partner ${apiKey}` },
    ]
    for (const headers of tries) {
      const answer = await send(running, 'GET', '/api/manage/v1/shops', undefined, headers)
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ statusCode: 401, error: 'Unauthorized' })
    }
  })

  it('404 for a shop that does not exist, 500 for an id that is none', async () => {
    expect((await manage(running, 'POST', `/shops/${unusedId()}/keys`, { name: 'x' })).status).toBe(404)
    expect((await manage(running, 'POST', '/shops/x/keys', { name: 'x' })).status).toBe(500)
  })

  it('201 for a top-up, 400 for a correction below zero, and the balance stays', async () => {
    const { shopId } = await makeShop(running)
    const path = `/shops/${shopId}/wallet/entries`
    expect((await manage(running, 'POST', path, { amount: 1000, note: 'nạp' })).body).toEqual({
      data: { balance: 1000, held: 0 },
    })
    expect((await manage(running, 'POST', path, { amount: -1001, note: 'sửa' })).body).toMatchObject({
      statusCode: 400,
      code: 'WALLET_BELOW_ZERO',
    })
    expect((await manage(running, 'POST', path, { amount: -1000, note: 'sửa' })).body.data.balance).toBe(0)
  })
})
