import { describe, expect, it } from 'vitest'
import { makeShop, service } from '../../support/service.ts'
import { CREATE, TEMPLATES } from '../../support/template-shop.ts'

const running = await service()
const PATH = `${TEMPLATES}/unfinished`

describe('G-18 templates that are still being written', () => {
  it('201 for one that create refuses; it is read, overwritten and deleted, and is not a template meanwhile', async () => {
    const shop = await makeShop(running)
    const form = { title: '', contentBlocks: [{ type: 'paragraph' }] }
    expect((await shop.post(CREATE, form)).status).toBe(400)
    const made = await shop.post(PATH, { name: '', content: JSON.stringify(form) })
    expect(made.status).toBe(201)
    const { _id } = made.body.data
    expect(made.body.data).toMatchObject({ id: _id, __v: 0, name: '' })
    const changed = await shop.call('PUT', `${PATH}/${_id}`, { name: 'Báo hàng về', content: 'Chào <ten>' })
    expect(changed.body.data).toMatchObject({ __v: 1, name: 'Báo hàng về', content: 'Chào <ten>' })
    expect((await shop.get(`${PATH}/${_id}`)).body).toEqual(changed.body)
    const { content: _, ...head } = changed.body.data
    expect((await shop.get(PATH)).body).toEqual({ data: [head] })
    expect((await shop.get(TEMPLATES)).body.meta.total).toBe(0)
    expect((await shop.call('DELETE', `${PATH}/${_id}`)).body).toEqual({ success: true })
    for (const method of ['GET', 'DELETE'] as const)
      expect((await shop.call(method, `${PATH}/${_id}`)).status).toBe(404)
    expect((await shop.get(PATH)).body).toEqual({ data: [] })
  })

  it('lists the last changed first', async () => {
    const shop = await makeShop(running)
    const made: string[] = []
    for (const name of ['Một', 'Hai'])
      made.push((await shop.post(PATH, { name, content: '{}' })).body.data._id)
    await shop.call('PUT', `${PATH}/${made[0]}`, { name: 'Một', content: '{"a":1}' })
    const { data } = (await shop.get(PATH)).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Một', 'Hai'])
  })

  it('400 without content and with more than 60,000 characters of it', async () => {
    const shop = await makeShop(running)
    for (const content of [undefined, '', 'x'.repeat(60_001)])
      expect((await shop.post(PATH, { name: 'Một', content })).status).toBe(400)
    expect((await shop.post(PATH, { name: 'Một', content: 'đ'.repeat(60_000) })).status).toBe(201)
  })

  it('409 TOO_MANY_UNFINISHED for the 51st, also of several at once', async () => {
    const shop = await makeShop(running)
    const answers = await Promise.all(
      Array.from({ length: 52 }, (_, n) => shop.post(PATH, { name: `${n}`, content: '{}' })),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([409, 'TOO_MANY_UNFINISHED']),
    )
    expect((await shop.get(PATH)).body.data).toHaveLength(50)
  })
})
