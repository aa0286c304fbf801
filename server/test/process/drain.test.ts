import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { freePorts, http, manageOver, startService, temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'

const STOPS = Number(process.env.DRAIN_STOPS ?? 2)
const CLIENTS = 12
const GRACE_MS = 1_000
/** Long enough that two signals 100 ms apart arrive within it, even on a busy machine. */
const SAME_SIGNAL_MS = 1_500
const folder = temporaryFolder()
const databases: TestDatabase[] = []
afterAll(async () => {
  folder.remove()
  for (const database of databases) await database.remove()
})

async function environment(drainSeconds: number) {
  const database = await makeDatabase()
  databases.push(database)
  return {
    DATA_DIR: join(folder.path, `data-${drainSeconds}`),
    DRAIN_SECONDS: String(drainSeconds),
    DATABASE_URL: database.url!,
    ...(await freePorts()),
  }
}

type Outcome = { begunAt: number; was: string; connection: string | undefined }

/** One request on a connection that is kept alive if the service allows it. */
function get(url: URL, headers: Record<string, string>, agent: Agent): Promise<Outcome> {
  const begunAt = performance.now()
  return new Promise((resolve) => {
    const call = request(url, { agent, headers }, (answer) => {
      answer.resume()
      answer.on('error', (error) => resolve({ begunAt, was: error.message, connection: undefined }))
      answer.on('end', () =>
        resolve({ begunAt, was: String(answer.statusCode), connection: answer.headers.connection }),
      )
    })
    call.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ begunAt, was: error.code ?? error.message, connection: undefined }),
    )
    call.end()
  })
}

describe.runIf(onPostgres)('a stop', () => {
  it(
    `is not ready at once, serves what arrives in the time of grace and asks connections to close, and then accepts no more: no reset and no 503 in ${STOPS} stops under load`,
    async () => {
      const env = await environment(GRACE_MS / 1000)
      let headers: Record<string, string> | undefined
      for (let stop = 0; stop < STOPS; stop++) {
        const service = await startService(env)
        if (headers === undefined) {
          const made = await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Nón' })
          headers = { 'x-api-key': `service-partner ${made.body.data.apiKey}` }
        }
        const agent = new Agent({ keepAlive: true })
        const products = new URL('/api/external/v1/products?limit=5', service.url)
        const outcomes: Outcome[] = []
        // No load balancer stops these clients: they continue until nothing listens any more.
        const clients = Array.from({ length: CLIENTS }, async () => {
          for (;;) {
            const outcome = await get(products, headers!, agent)
            outcomes.push(outcome)
            if (outcome.was !== '200') return
          }
        })
        await pause(500)
        const silent = connect(Number(new URL(service.url).port), '127.0.0.1')
        silent.on('error', () => {})
        await once(silent, 'connect')

        const askedAt = performance.now()
        const ended = service.end('SIGTERM')
        const ready = await eventually(async () => {
          const answer = await http(service.url, 'GET', '/health/ready')
          return answer.status === 503 && answer
        }, 900)
        expect(ready.headers.get('connection')).toBe('close')
        const seenAt = performance.now()
        expect(await ended).toEqual({ code: 0, signal: null })
        const tookMs = performance.now() - askedAt
        await Promise.all(clients)
        agent.destroy()

        const after = outcomes.filter(({ begunAt }) => begunAt > seenAt)
        expect(after.filter(({ was }) => was === '200').length).toBeGreaterThan(CLIENTS)
        expect(after.filter(({ was, connection }) => was === '200' && connection !== 'close')).toEqual([])
        // Later requests find the listener closed, or are closed with it.
        const wrong = outcomes.filter(
          ({ was, begunAt }) =>
            was !== '200' && (begunAt < askedAt + GRACE_MS || !/^ECONN(REFUSED|RESET)$/.test(was)),
        )
        expect(wrong.map(({ was, begunAt }) => `${was} ${begunAt - askedAt} ms after`)).toEqual([])
        expect(tookMs).toBeLessThan(12_000)
      }
    },
    60_000 + STOPS * 40_000,
  )

  it('a second signal ends it at once', async () => {
    const TIMINGS = JSON.stringify({ ...QUICK_TIMINGS, stopSameSignalMs: SAME_SIGNAL_MS })
    const service = await startService({ ...(await environment(30)), TIMINGS })
    const ended = service.end('SIGTERM')
    await pause(100)
    // As npm forwards a signal that the terminal has already sent.
    service.child.kill('SIGTERM')
    await pause(SAME_SIGNAL_MS)
    expect((await http(service.url, 'GET', '/health/live')).status).toBe(200)
    service.child.kill('SIGINT')
    expect(await ended).toEqual({ code: 1, signal: null })
  }, 60_000)
})
