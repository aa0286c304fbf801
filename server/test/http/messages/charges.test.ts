import { describe, expect, it } from 'vitest'
import { makeSender, sendTo } from '../../support/senders.ts'
import { makeShop, manage, service, unusedId } from '../../support/service.ts'

const running = await service()
const MONTH = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 7)

describe('G-74 GET …/shops/{id}/charges', () => {
  it('200 every message of the month once, over pages, with what the ledger charged for it', async () => {
    const sender = await makeSender(running)
    for (const phone of ['0912345678', '0912340001', '0912345679']) await sendTo(sender, phone)
    const path = `/shops/${sender.shop.shopId}/charges?month=${MONTH}&limit=2`
    const first = (await manage(running, 'GET', path)).body
    const rest = (await manage(running, 'GET', `${path}&after=${first.meta.nextAfter}`)).body
    expect([first.meta.nextAfter, rest.meta.nextAfter]).toEqual([first.data.at(-1).messageId, null])
    const found = [...first.data, ...rest.data]
    expect(found.map(({ status, charged, held }) => [status, charged, held])).toEqual([
      ['RECEIVED', 200, 0],
      ['ERROR', 0, 0],
      ['RECEIVED', 200, 0],
    ])
    expect(new Set(found.map(({ messageId }) => messageId)).size).toBe(3)
    expect((await manage(running, 'GET', path.replace(MONTH, '2020-01'))).body.data).toEqual([])
  })

  it('400 without a month; an id after which another shop has messages gives nothing', async () => {
    const { shopId } = await makeShop(running)
    const path = `/shops/${shopId}/charges`
    expect((await manage(running, 'GET', path)).status).toBe(400)
    expect((await manage(running, 'GET', `${path}?month=2026-13`)).status).toBe(400)
    expect((await manage(running, 'GET', `${path}?month=${MONTH}&after=${unusedId()}`)).body.data).toEqual([])
    expect((await manage(running, 'GET', `${path}?month=${MONTH}&after=7`)).status).toBe(500)
  })
})
