import { describe, expect, it } from 'vitest'
import { LONG, makePlan } from '../../../../tools/chaos/plan.ts'
import { demoCustomers } from '../../../src/demo/data.ts'
import { normalizePhone } from '../../../src/lib/text/phone.ts'
import { makePhoneSender } from '../../support/senders.ts'
import { makeShop, service } from '../../support/service.ts'
import { VALUES } from '../../support/templates.ts'

const running = await service()

const CUSTOMERS = '/api/external/v1/customers'
const TYPED = [
  '0912 345 678',
  '(+84) 912345678',
  '+84 (0) 912 345 678',
  '０９１２３４５６７８',
  '[+84] 912.345.678',
]
/** One mobile digit too many, one too few, and a prefix that the numbering plan does not have. */
const INVALID = ['09123456789', '091234567', '0123456789', '0555555555', '+44 7911 12345']

describe('G-22 phones wherever they come in', () => {
  it('E5: 200 of any form people type, 400 of a number that its country does not have', async () => {
    const { send } = await makePhoneSender(running)
    for (const receiverPhone of TYPED) expect((await send({ receiverPhone })).status).toBe(200)
    for (const receiverPhone of INVALID) {
      const answer = await send({ receiverPhone })
      expect([receiverPhone, answer.status]).toEqual([receiverPhone, 400])
      expect(answer.body.validation.body.message).toBe('"receiverPhone" must be a valid phone number')
    }
  })

  it('batches: 202 with the invalid ones refused row by row', async () => {
    const { shop, template } = await makePhoneSender(running)
    const messages = [...TYPED, ...INVALID].map((receiverPhone) => ({ receiverPhone, params: VALUES }))
    const made = await shop.post('/api/external/notify-message/batches', {
      templateId: template.id,
      messages,
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect(made.status).toBe(202)
    expect(made.body.data).toMatchObject({ accepted: TYPED.length, refusedCount: INVALID.length })
    expect(made.body.data.refused.map(({ index }: { index: number }) => index)).toEqual([5, 6, 7, 8, 9])
  })

  it('customers: 201 and found by each form; 400 of an invalid one, created or changed', async () => {
    const shop = await makeShop(running)
    const made = await shop.post(CUSTOMERS, { fullName: 'Lan', phone: '(+84) 912345678' })
    expect(made.body.data.phone).toBe('84912345678')
    for (const typed of TYPED) {
      const found = await shop.get(`${CUSTOMERS}?search=${encodeURIComponent(typed)}`)
      expect([typed, found.body.data.meta.total]).toEqual([typed, 1])
    }
    for (const phone of INVALID) {
      for (const answer of [
        await shop.post(CUSTOMERS, { fullName: 'Hoa', phone }),
        await shop.patch(`${CUSTOMERS}/${made.body.data._id}`, { phone }),
      ]) {
        expect([phone, answer.status]).toEqual([phone, 400])
        expect(answer.body.validation.body.message).toBe('"phone" must be a valid phone number')
      }
    }
  })

  it('E12 finds an order by each form of its customer’s phone', async () => {
    const shop = await makeShop(running)
    const product = (await shop.post('/api/external/v1/products', { name: 'Trà', price: 1000 })).body.data
    const customer = (await shop.post(CUSTOMERS, { fullName: 'Lan', phone: '0912345678' })).body.data
    await shop.post('/api/external/order/pos/create', {
      userId: customer._id,
      orderItems: [{ id: product._id, quantity: 1 }],
    })
    for (const typed of TYPED) {
      const found = await shop.get(`/api/external/v1/orders?search=${encodeURIComponent(typed)}`)
      expect([typed, found.body.data.meta.total]).toEqual([typed, 1])
    }
  })
})

describe('G-22 numbers of our own making are valid', () => {
  it('the simulator’s magic endings, the demo’s customers, the recipients of a chaos run', () => {
    const endings = Array.from({ length: 9 }, (_, n) => `090123000${n + 1}`)
    const demo = demoCustomers(60).map(({ phone }) => phone)
    const messages = makePlan(LONG, 1, true).sends.flatMap((send) =>
      send.kind === 'single' ? [send.message] : send.messages,
    )
    const chaos = messages.filter(({ channel }) => channel === 'phone')
    expect(chaos.length).toBeGreaterThan(6_000)
    const all = [...endings, ...demo, ...chaos.map(({ recipient }) => recipient)]
    expect(all.filter((phone) => normalizePhone(phone) === undefined)).toEqual([])
  })
})
