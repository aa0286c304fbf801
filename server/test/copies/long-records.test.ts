import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeShop, service } from '../support/service.ts'

const running = await service()

it('G-66 a page of the feed ends after two million characters; the next ones have the rest', async () => {
  const shop = await makeShop(running)
  const { body } = await shop.get('/api/external/changes')
  let after = body.data.meta.nextCursor as string
  const ids: string[] = []
  for (let n = 0; n < 25; n++) {
    const made = await shop.post('/api/external/news', { title: `Bài ${n}`, content: '<p>x</p>' })
    expect(made.status).toBe(201)
    ids.push(made.body.data._id)
  }
  await sql`update news set content = repeat('ế', 190000) where shop_id = ${shop.shopId}`.execute(
    running.deps.db,
  )
  const pages: string[][] = []
  for (let hasMore = true; hasMore; ) {
    const page = await shop.get(
      `/api/external/changes?limit=500&types=news&after=${encodeURIComponent(after)}`,
    )
    expect(page.status).toBe(200)
    pages.push(page.body.data.changes.map(({ id }: { id: string }) => id))
    ;({ nextCursor: after, hasMore } = page.body.data.meta)
  }
  // Each article was created and changed: 50 changes, eleven of which are beyond two million characters.
  expect(pages.map(({ length }) => length)).toEqual([11, 11, 11, 11, 6])
  expect(pages.flat().slice(25).toSorted()).toEqual(ids.toSorted())
})
