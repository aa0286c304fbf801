import { describe, expect, it } from 'vitest'
import { makeSender } from '../../support/senders.ts'
import { makeShop, manage, service } from '../../support/service.ts'
import { NAME } from '../../support/unknown-messages.ts'

const running = await service()
const pathOf = (id: string) => `/api/external/notify-template/${id}/sms-text`

async function makeTemplate() {
  const { shop, template } = await makeSender(running, { params: [NAME] })
  return { shop, path: pathOf(template.id) }
}

describe('G-91 a template’s text for SMS', () => {
  it('200 null, then the text with what it comes to, then null again; no price without a sender', async () => {
    const { shop, path } = await makeTemplate()
    expect(await shop.get(path)).toMatchObject({ status: 200, body: { data: { smsFallback: null } } })
    const set = await shop.put(path, { text: ' Xin chao <customer_name> ' })
    expect([set.status, set.body.data.smsFallback]).toMatchObject([
      200,
      { text: 'Xin chao <customer_name>', alphabet: 'gsm7', length: 11, parts: 1, mostParts: 1, price: null },
    ])
    const keys = { apiKey: 'a', secretKey: 's' }
    await manage(running, 'PUT', `/shops/${shop.shopId}/sms`, { brandname: 'X', price: 350, ...keys })
    expect((await shop.get(path)).body.data.smsFallback.price).toBe(350)
    const wide = await shop.put(path, { text: 'ệ'.repeat(71) })
    expect(wide.body.data.smsFallback).toMatchObject({ alphabet: 'ucs2', length: 71, parts: 2, mostParts: 2 })
    expect((await shop.put(path, { text: null })).body.data.smsFallback).toBeNull()
    expect((await shop.put(path, { text: null })).status).toBe(200)
  })

  it.each([
    ['a param that the template does not declare', 'Don <order_code>', /<order_code>/],
    ['a blank text', '  ', /not allowed to be empty/],
    ['one that may become more than ten SMS', 'ệ'.repeat(671), /more than 10 SMS/],
    ['more than 1,000 characters', 'a'.repeat(1_001), /1000 characters/],
  ])('400 for %s', async (_name, text, message) => {
    const { shop, path } = await makeTemplate()
    const answer = await shop.put(path, { text })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringMatching(message)])
    expect((await shop.get(path)).body.data.smsFallback).toBeNull()
  })

  it('404 for another shop’s template, whatever is done', async () => {
    const { shop, path } = await makeTemplate()
    await shop.put(path, { text: 'Xin chao' })
    const other = await makeShop(running)
    expect((await other.get(path)).status).toBe(404)
    for (const text of ['Khac', null]) expect((await other.put(path, { text })).status).toBe(404)
    expect((await shop.get(path)).body.data.smsFallback.text).toBe('Xin chao')
  })
})
