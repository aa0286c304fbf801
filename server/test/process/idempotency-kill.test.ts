import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { type HttpAnswer, http, temporaryFolder } from '../support/process.ts'
import { makeSendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const ROUNDS = 3
const WRITERS = 4
const KEYS_BEFORE_KILL = 8

/** A send or an order with its own key: the request to repeat, and the id in the response, if one came. */
type Attempt = { key: string; path: string; body: object; answered: string | undefined }

describe.runIf(onPostgres)(
  'G-10 SIGKILL during sends and orders with keys, each key retried after the restart',
  () => {
    const folder = temporaryFolder()
    afterAll(folder.remove)

    it('one message and one order a key: at the platform, in the database and in the wallet', async () => {
      const platform = await keepPlatform(join(folder.path, 'data'))
      let service = await platform.start()
      const shop = await makeSendingShop(service.url, 10_000_000, SIMULATOR_CREDENTIALS)
      const product = await shop.call('POST', '/api/external/v1/products', {
        name: 'Bình gốm',
        price: 250_000,
      })
      const orderItems = [{ id: product.body.data._id, quantity: 1 }]
      await platform.setFaults([
        { kind: 'latency', endpoint: '/message/template', share: 0.5, latencyMs: 150 },
      ])

      const attempts: Attempt[] = []
      const answered = () => attempts.filter((one) => one.answered !== undefined).length
      for (let round = 0; round < ROUNDS; round++) {
        let killed = false
        const writers = Array.from({ length: WRITERS }, async (_, writer) => {
          for (let n = 0; !killed; n++) {
            const key = `${round}-${writer}-${n}`
            const order = { key, path: '/api/external/order/pos/create', body: { orderItems, note: key } }
            const message = {
              key,
              path: '/api/external/notify-message/send',
              body: {
                templateId: shop.templateId,
                receiverPhone: `09${String(10_000_100 + attempts.length)}`,
                params: { customer_name: 'An', order_code: key },
              },
            }
            const attempt: Attempt = { ...(writer === 0 ? order : message), answered: undefined }
            attempts.push(attempt)
            attempt.answered = idOf(await callWithKey(attempt).catch(() => undefined))
          }
        })
        const before = answered()
        await eventually(async () => answered() >= before + KEYS_BEFORE_KILL, 30_000)
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
        killed = true
        await service.end('SIGKILL')
        await Promise.all(writers)
        service = await platform.start()
      }
      await platform.setFaults([])

      const ids = new Map<string, string>()
      for (const attempt of attempts) {
        const id = await eventually(async () => idOf(await callWithKey(attempt)), 30_000)
        if (attempt.answered !== undefined) expect(id).toBe(attempt.answered)
        ids.set(attempt.key, id)
      }
      expect(attempts.some((one) => one.answered === undefined)).toBe(true)
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })

      const database = await platform.open()
      const sends = attempts.filter((one) => one.path.endsWith('/send'))
      const orders = attempts.filter((one) => !one.path.endsWith('/send'))
      const kept = await sql<{ id: string; state: string }>`select id, state from messages`.execute(
        database.db,
      )
      expect(kept.rows.map((row) => row.id).sort()).toEqual(sends.map((one) => ids.get(one.key)).sort())
      const noted = await sql<{ note: string }>`select note from orders`.execute(database.db)
      expect(noted.rows.map((row) => row.note).sort()).toEqual(orders.map((one) => one.key).sort())

      const { body } = await http(platform.url, 'GET', '/control/messages?limit=100000')
      const times = new Map<string, number>()
      for (const one of body.messages) times.set(one.tracking_id, (times.get(one.tracking_id) ?? 0) + 1)
      for (const { id, state } of kept.rows) {
        // If the process died, nobody knows whether the message reached the platform; it never reached it twice.
        const allowed = state === 'RECEIVED' ? [1] : [0, 1]
        expect(allowed, `${id} ${state}`).toContain(times.get(id) ?? 0)
      }
      expect(
        body.messages.filter((one: { tracking_id: string }) => ![...ids.values()].includes(one.tracking_id)),
      ).toEqual([])
      await checkInvariants(database.db)
      await database.close()
      await platform.remove()

      function callWithKey({ key, path, body }: Attempt): Promise<HttpAnswer> {
        return shop.call('POST', path, body, { 'idempotency-key': key })
      }
    }, 180_000)
  },
)

function idOf(answer: HttpAnswer | undefined): string | undefined {
  if (answer === undefined || answer.status >= 300) return undefined
  return answer.body.data.message_id ?? answer.body.data._id
}
