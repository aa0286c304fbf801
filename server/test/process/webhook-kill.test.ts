import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { freePorts, http, manageOver, startService, temporaryFolder } from '../support/process.ts'
import { makeReceiver, WEBHOOKS } from '../support/webhooks.ts'

const EVENTS = 40
const folder = temporaryFolder()
afterAll(folder.remove)

it.runIf(onPostgres)(
  'G-62 SIGKILL in the middle of deliveries loses none: each event arrives at least once',
  async () => {
    const database = await makeDatabase()
    const env = {
      DATA_DIR: join(folder.path, 'data'),
      ...(await freePorts()),
      OUTBOUND_ALLOW_PRIVATE: '1',
      DATABASE_URL: database.url!,
    }
    const first = await startService(env)
    const made = await manageOver(first.url, 'POST', '/shops', { name: 'Tiệm Gốm Bát Tràng' })
    const headers = { 'x-api-key': `service-partner ${made.body.data.apiKey}` }
    const codes = new Map<string, number>()
    // Responses take a while, so that the kill happens during requests.
    const receiver = await makeReceiver((reply, _nth, { body }) => {
      const { name } = JSON.parse(body).data
      codes.set(name, (codes.get(name) ?? 0) + 1)
      setTimeout(() => reply.end(), 150)
    })
    const registered = await http(
      first.url,
      'POST',
      WEBHOOKS,
      { url: receiver.url, events: ['product.created'] },
      headers,
    )
    expect(registered.status).toBe(201)
    for (let n = 0; n < EVENTS; n++) {
      const product = { name: `Bát ${n}`, price: 1000 }
      expect((await http(first.url, 'POST', '/api/external/v1/products', product, headers)).status).toBe(200)
    }
    await eventually(async () => codes.size >= 5, 20_000)
    expect(await first.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    expect(codes.size).toBeLessThan(EVENTS)
    const second = await startService(env)
    await eventually(async () => codes.size === EVENTS, 120_000)
    const path = `${WEBHOOKS}/${registered.body.data._id}/attempts?limit=100`
    await eventually(async () => {
      const { body } = await http(second.url, 'GET', path, undefined, headers)
      return new Set(body.data.map(({ eventId }: { eventId: string }) => eventId)).size === EVENTS
    }, 120_000)
    const copies = [...codes.values()].reduce((sum, n) => sum + n, 0)
    expect(copies).toBeLessThanOrEqual(EVENTS + 4)
    expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await database.remove()
  },
  300_000,
)
