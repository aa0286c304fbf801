import { describe, expect, it } from 'vitest'
import { feedCaughtUp } from '../../server/test/support/changes.ts'
import { answering, makeClient, running } from './support.ts'

const { db } = running.deps

describe('feeds', () => {
  it('G-66 changes: all pages since the cursor, then those of later when it is iterated again', async () => {
    const { requests, fetch } = answering()
    const { shop } = await makeClient({ fetch })
    const feed = shop.changes({ types: 'customer', limit: 2 })
    await feedCaughtUp(db)
    expect([await Array.fromAsync(feed), typeof feed.cursor]).toEqual([[], 'string'])
    const made: string[] = []
    for (const fullName of ['a', 'b', 'c', 'd', 'e'])
      made.push((await shop.customers.create({ fullName })).data._id)
    await feedCaughtUp(db)
    const start = feed.cursor!
    requests.length = 0
    expect((await Array.fromAsync(feed)).map(({ id }) => id)).toEqual(made)
    expect(requests).toHaveLength(3)
    const again = await Array.fromAsync(shop.changes({ types: 'customer', after: start }))
    expect(again.map((change) => change.op === 'upsert' && change.type)).toEqual(made.map(() => 'customer'))
    expect(await Array.fromAsync(feed)).toEqual([])
  })

  it('G-66 a break in the middle of a page leaves the cursor before that page', async () => {
    const { shop } = await makeClient()
    const feed = shop.changes({ types: 'customer', limit: 2 })
    await feedCaughtUp(db)
    await Array.fromAsync(feed)
    for (const fullName of ['a', 'b', 'c', 'd']) await shop.customers.create({ fullName })
    await feedCaughtUp(db)
    const seen: string[] = []
    for await (const { id } of feed) if (seen.push(id) === 3) break
    const rest = (await Array.fromAsync(shop.changes({ types: 'customer', after: feed.cursor }))).map(
      ({ id }) => id,
    )
    expect([rest.length, rest[0]]).toEqual([2, seen[2]])
  })

  it('G-68 events: those of the shop from the oldest on, and a refused cursor as an ApiError', async () => {
    const { shop } = await makeClient()
    await shop.webhooks.create({ url: 'https://erp.example.com/hook', events: ['product.created'] })
    for (const name of ['Áo', 'Quần', 'Mũ']) await shop.products.create({ name, price: 1 })
    await feedCaughtUp(db)
    const feed = shop.events({ limit: 2 })
    const events = await Array.fromAsync(feed)
    expect(events.map(({ type, data }) => [type, data.name])).toEqual(
      ['Áo', 'Quần', 'Mũ'].map((name) => ['product.created', name]),
    )
    expect(await Array.fromAsync(feed)).toEqual([])
    const refused = Array.fromAsync(shop.events({ after: 'garbage' }))
    await expect(refused).rejects.toMatchObject({ status: 400, field: 'after' })
  })
})
