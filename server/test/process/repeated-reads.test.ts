import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { freePorts, http, manageOver, startService, temporaryFolder } from '../support/process.ts'
import { newProduct, PRODUCTS } from '../support/products.ts'
import { type Call, raceReads } from '../support/read-race.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

describe.skipIf(!onPostgres)('G-70 two processes on one database', () => {
  it('no read is older than what was committed at the other process before it began', async () => {
    const database = await makeDatabase()
    const shared = { DATABASE_URL: database.url!, SECRETS_KEY: '5a'.repeat(32) }
    const start = async (name: string) =>
      startService({ ...shared, DATA_DIR: `${folder.path}/${name}`, ...(await freePorts()) })
    const first = await start('first')
    const second = await start('second')
    try {
      const { data } = (await manageOver(first.url, 'POST', '/shops', { name: 'Tiệm Hoa' })).body
      const key = { 'x-api-key': `service-partner ${data.apiKey}` }
      const callOf =
        (url: string): Call =>
        (method, path, body) =>
          http(url, method, path, body, key)
      const ids: string[] = []
      for (let n = 0; n < 4; n++) {
        const made = await http(first.url, 'POST', PRODUCTS, newProduct({ price: 0 }), key)
        ids.push(made.body.data.id)
      }
      const { stale, reads } = await raceReads(
        [callOf(first.url), callOf(second.url)],
        data.shop._id,
        ids,
        40,
      )
      expect(stale).toEqual([])
      expect(reads).toBeGreaterThan(400)
    } finally {
      await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
      await database.remove()
    }
  }, 120_000)
})
