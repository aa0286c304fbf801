import { expect, it } from 'vitest'
import { makeSender, sendTo } from '../../support/senders.ts'
import { makeShop, manage, send, service } from '../../support/service.ts'

const running = await service()

it('G-27 200 for the operator with what the platform answered word for word, of a message taken and of one refused', async () => {
  const sender = await makeSender(running)
  const taken = (await sendTo(sender, '0901234567')).body.data.message_id
  const read = await manage(running, 'GET', `/shops/${sender.shop.shopId}/messages/${taken}`)
  expect(read.status).toBe(200)
  const own = await sender.shop.get(`/api/external/notify-message/messages/${taken}`)
  expect(read.body.data).toMatchObject(own.body.data)
  expect(read.body.data.platformAnswer).toMatchObject({
    error: 0,
    data: { msg_id: own.body.data.sessionId, sent_time: expect.any(String) },
  })
  expect(read.body.data.unknownCause).toBeNull()
  // The shop sees the meaning of the platform's answer, but not the answer itself.
  expect(own.body.data).not.toHaveProperty('platformAnswer')

  expect((await sendTo(sender, '0901230001')).status).toBe(400)
  const { histories } = (await sender.shop.get('/api/external/notify-message/history?status=ERROR')).body
  const refused = await manage(running, 'GET', `/shops/${sender.shop.shopId}/messages/${histories[0].id}`)
  const { code } = JSON.parse(histories[0].reason)
  expect(refused.body.data.platformAnswer).toMatchObject({ error: code, message: expect.any(String) })
})

it('G-61 404 for a message of another shop, 401 with a shop’s key', async () => {
  const sender = await makeSender(running)
  const other = await makeShop(running)
  const id = (await sendTo(sender, '0901234567')).body.data.message_id
  const missing = await manage(running, 'GET', `/shops/${other.shopId}/messages/${id}`)
  expect([missing.status, missing.body.message]).toEqual([404, 'The message does not exist'])
  const headers = { 'x-api-key': `service-partner ${sender.shop.apiKey}` }
  const path = `/api/manage/v1/shops/${sender.shop.shopId}/messages/${id}`
  expect((await send(running, 'GET', path, undefined, headers)).status).toBe(401)
})
