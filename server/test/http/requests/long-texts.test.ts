import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { compileValidator } from '../../../src/http/validation/validate.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'

const running = await service()

/** Marks of two kinds alternately: sorting them takes time quadratic in their number. */
const marks = (count: number) => '\u0327\u0301'.repeat(count / 2)
/** Without the limits, such a request takes 8,000 ms and more. */
const AT_ONCE_MS = 1_000
const LINT = '/api/external/notify-template/lint'

/** The processor time of `work` in ms, measured the second time, because the first compiles schemas. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  await work()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const wrong = (source: string, key: string, says: string) => ({
  status: 400,
  body: { validation: { [source]: { keys: [key], message: `"${key}" ${says}` } } },
})
const tooManyMarks = 'must not contain more than 30 combining marks in a row'

it('400 for more combining marks in a row than any writing has, at once: in a body, in a query', async () => {
  const shop = await makeShop(running)
  const path = `/api/external/news/${unusedId()}`
  const put = () => shop.put(path, { content: marks(200_000) })
  expect(await put()).toMatchObject(wrong('body', 'content', tooManyMarks))
  expect(await processorMs(put)).toBeLessThan(AT_ONCE_MS)
  expect(await shop.put(path, { title: `a${marks(32)}` })).toMatchObject(wrong('body', 'title', tooManyMarks))
  expect((await shop.put(path, { title: `a${marks(30)}` })).status).toBe(404)
  const search = encodeURIComponent(marks(2_000))
  expect(await shop.get(`/api/external/v1/products?search=${search}`)).toMatchObject(
    wrong('query', 'search', tooManyMarks),
  )
})

it('G-15 200 by lint, which names them as an error, at once', async () => {
  const shop = await makeShop(running)
  const contentBlocks = Array.from({ length: 24 }, () => ({ type: 'paragraph', value: marks(20_000) }))
  const lint = () => shop.post(LINT, { contentBlocks })
  const { status, body } = await lint()
  expect(status).toBe(200)
  expect(body.data.errors).toContainEqual({
    path: 'contentBlocks.0.value',
    message: 'Remove combining marks from this text: there may be at most 30 in a row.',
  })
  expect(await processorMs(lint)).toBeLessThan(AT_ONCE_MS)
})

it('E16 400 for content of more than 10,000 tags, at once', async () => {
  const shop = await makeShop(running)
  const made = await shop.post('/api/external/news', { title: 'Tin', content: '<p>Tin</p>' })
  const path = `/api/external/news/${made.body.data._id}`
  const put = () => shop.put(path, { content: '<b>'.repeat(66_000) })
  expect(await put()).toMatchObject(wrong('body', 'content', 'must not have more than 10000 tags'))
  expect(await processorMs(put)).toBeLessThan(AT_ONCE_MS)
  const most = await shop.put(path, { content: `<b>Tin mới</b>${'<br>'.repeat(9_998)}` })
  expect([most.status, most.body.data.shortContent]).toEqual([200, 'Tin mới'])
  const created = await shop.post('/api/external/news', { title: 'Tin', content: '<b>'.repeat(10_001) })
  expect(created.status).toBe(400)
})

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

it.each([
  ['of lint', LINT],
  ['of an operation without one', `/api/external/notify-template/${unusedId()}/publish`],
])('G-10 400 for a body %s that is nested too deeply, with a key and without', async (_what, path) => {
  const shop = await makeShop(running)
  for (const key of [undefined, 'k']) {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const { status, body } = await shop.post(path, `{"shopId":${nested(3_000)}}`, headers)
    expect([status, body.validation?.body.message]).toEqual([
      400,
      expect.stringMatching(/is nested too deeply$/),
    ])
  }
})

it('400 for a number of 16,000 digits in a query, at once', async () => {
  const limit = `1.${'0'.repeat(15_000)}1`
  const check = compileValidator(Type.Object({ limit: Type.Integer() }), 'querystring')
  const read = async () => expect(check({ limit })).toHaveProperty('error')
  expect(await processorMs(read)).toBeLessThan(100)
})
