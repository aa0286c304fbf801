import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { EventType } from '../../src/modules/webhooks/outbox/event-types.ts'
import { eventually } from './eventually.ts'
import type { Partner, Service } from './service.ts'

/** Inserts an endpoint to which nothing can be delivered into the database, and returns its id. */
export async function listen(
  running: Service,
  shopId: string,
  events: (EventType | '*')[] = ['*'],
): Promise<string> {
  const { db, ids, secrets, clock } = running.deps
  const id = ids.next()
  const now = clock.now()
  await sql`
    insert into webhook_endpoints (shop_id, id, url, events, secret, created_at, updated_at)
    values (${shopId}, ${id}, 'https://127.0.0.1/', ${events}::text[], ${secrets.seal(`whsec_${btoa('k'.repeat(32))}`)},
      ${now}, ${now})`.execute(db)
  return id
}

/** Deletes an endpoint. */
export async function forget(running: Service, shopId: string, id: string): Promise<void> {
  await sql`
    update webhook_endpoints
    set deleted_at = now()
    where shop_id = ${shopId} and id = ${id}`.execute(running.deps.db)
}

// biome-ignore lint/suspicious/noExplicitAny: tests read into data of every type
export type StoredEvent = { id: string; type: EventType; data: any; created_at: Date }

/** The events of the shop with a delivery to an endpoint, oldest first. */
export async function eventsOf(running: Service, shopId: string): Promise<StoredEvent[]> {
  const isOf = sql`shop_id = ev.shop_id and event_id = ev.id`
  return storedEvents(
    running,
    shopId,
    sql`and (exists (select from webhook_outbox where ${isOf}) or exists (select from webhook_deliveries where ${isOf}))`,
  )
}

/** All events of the shop that are kept (G-68). */
export function keptEventsOf(running: Service, shopId: string): Promise<StoredEvent[]> {
  return storedEvents(running, shopId, sql``)
}

async function storedEvents(
  running: Service,
  shopId: string,
  and: RawBuilder<unknown>,
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select id, type, data, created_at
    from shop_events ev
    where shop_id = ${shopId} ${and}
    order by created_at, id`.execute(running.deps.db)
  return rows
}

export const WEBHOOKS = '/api/external/webhooks'

export type Delivery = { headers: IncomingHttpHeaders; body: string; at: number }

export type Receiver = {
  url: string
  /** The received deliveries, oldest first. */
  deliveries: Delivery[]
  /** The ids of the received events, each as often as it arrived. */
  ids(): string[]
}

/** Answers a delivery; `nth` counts from 0. */
export type Answering = (reply: ServerResponse, nth: number, delivery: Delivery) => void

/** A real HTTP server that receives deliveries until the test ends. It answers with `answer`, by default 200. */
export async function makeReceiver(
  answer: Answering = (reply) => reply.end('ok'),
  host = '127.0.0.1',
): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const delivery = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        at: performance.now(),
      }
      deliveries.push(delivery)
      answer(reply, deliveries.length - 1, delivery)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    ids: () => deliveries.map(({ headers }) => String(headers['webhook-id'])),
  }
}

/** Registers an endpoint through the API and returns its record with the secret. */
export async function register(shop: Partner, url: string, events: string[] = ['*']) {
  const made = await shop.post(WEBHOOKS, { url, events })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.data
}

/** Requests a test event and returns its id. */
export async function sendTest(shop: Partner, endpointId: string): Promise<string> {
  const asked = await shop.post(`${WEBHOOKS}/${endpointId}/test`)
  if (asked.status !== 202) throw new Error(JSON.stringify(asked.body))
  return asked.body.data.eventId
}

// biome-ignore lint/suspicious/noExplicitAny: records of the wire
export async function attemptsOf(shop: Partner, endpointId: string): Promise<any[]> {
  return (await shop.get(`${WEBHOOKS}/${endpointId}/attempts?limit=100`)).body.data
}

/** Waits for this many attempts and returns them, newest first. */
export function whenAttempts(shop: Partner, endpointId: string, count: number, withinMs = 10_000) {
  return eventually(async () => {
    const attempts = await attemptsOf(shop, endpointId)
    return attempts.length >= count && attempts
  }, withinMs)
}

/** Lets the pauses of an endpoint and of its retries expire. */
export async function skipPauses(running: Service, endpointId: string): Promise<void> {
  await sql`
    update webhook_deliveries
    set due_at = now() - interval '1 second'
    where endpoint_id = ${endpointId} and state = 'pending'`.execute(running.deps.db)
  await sql`
    update webhook_endpoints
    set paused_until = null
    where id = ${endpointId}`.execute(running.deps.db)
}
