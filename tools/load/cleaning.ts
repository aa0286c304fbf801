import { randomBytes } from 'node:crypto'
import { cpus, loadavg } from 'node:os'
import { type RawBuilder, sql } from 'kysely'
import { type Db, openPostgres } from '../../server/src/db/client.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { createIds } from '../../server/src/lib/object-id.ts'
import { readConfig } from '../../server/src/process/config/read-config.ts'
import { deleteOldRecords } from '../../server/src/process/retention/retention.ts'
import { onServer } from './shared/processes.ts'
import { seed } from './shared/seed.ts'

/**
 * Measures how fast records past their retention are deleted. The goal is the rate at which the most frequent records
 * arrive: 3,000 a second.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 200_000)
const OLD = sql`now() - interval '60 days'`

const server = process.env.BENCH_DATABASE_URL
if (server === undefined) throw new Error('set BENCH_DATABASE_URL')
const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
await onServer(server, `create database ${name}`)
const database = openPostgres(Object.assign(new URL(server), { pathname: `/${name}` }).href)
try {
  await migrate(database)
  const { db } = database
  const [shop] = await seed(db, { shops: 1, products: 10, orders: 10, smallProducts: 0, smallOrders: 0 })
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(1)}, PostgreSQL, ${ROWS} old rows of each kind and as many new ones\n\n`,
  )
  await measure(db, 'events of the platform', (at, from) => insertPlatformEvents(at, from))
  await measure(db, 'changes', (at, from) => insertChanges(shop!.shopId, at, from))
  await measure(db, 'idempotency keys', (at, from) => insertKeys(shop!.shopId, at, from))
  await measure(db, 'events for shops', (at, from) => insertShopEvents(shop!.shopId, at, from))
  await sql`delete from shop_events`.execute(db)
  const endpointId = await insertEndpoint(db, shop!.shopId)
  await measure(
    db,
    'events for shops',
    (at, from) => insertDeliveredEvents(shop!.shopId, endpointId, at, from),
    ', delivered at the first attempt',
  )
} finally {
  await database.close()
  await onServer(server, `drop database if exists ${name} with (force)`)
}

type Insert = (at: RawBuilder<unknown>, from: number) => RawBuilder<unknown>

/** Inserts old and new rows, deletes the old ones, and prints how many per second. */
async function measure(
  db: Db,
  what: Parameters<typeof deleteOldRecords>[1],
  insert: Insert,
  note = '',
): Promise<void> {
  await insert(OLD, 0).execute(db)
  await insert(sql`now() + interval '1 day'`, ROWS).execute(db)
  await sql`analyze`.execute(db)
  const startedAt = performance.now()
  const deleted = await deleteOldRecords(
    { db, clock: { now: () => new Date() }, config: readConfig({}) },
    what,
  )
  const seconds = (performance.now() - startedAt) / 1000
  if (deleted !== ROWS) throw new Error(`${what}: ${deleted} rows of ${ROWS} were deleted`)
  process.stdout.write(
    `${(what + note).padEnd(40)} ${Math.round(deleted / seconds)
      .toString()
      .padStart(7)} a second\n`,
  )
}

/** An object id made from a number; the same kind and number give the same id. */
function numbered(kind: string): RawBuilder<unknown> {
  return sql`(${kind}::text || lpad(to_hex(n), 23, '0'))`
}

/** One number for each row of a kind. */
function numbers(from: number): RawBuilder<unknown> {
  return sql`generate_series(${sql.lit(from + 1)}, ${sql.lit(from + ROWS)}) n`
}

function insertPlatformEvents(at: RawBuilder<unknown>, from: number): RawBuilder<unknown> {
  return sql`
    insert into platform_events (id, oa_id, name, body, received_at, processed_at, outcome, due_at)
    select ${numbered('a')}, '9876543210', 'user_received_message',
      jsonb_build_object('message_id', n, 'delivery_time', n, 'recipient', jsonb_build_object('id', n)), ${at}, ${at}, 'delivered', null
    from ${numbers(from)}`
}

function insertChanges(shopId: string, at: RawBuilder<unknown>, from: number): RawBuilder<unknown> {
  return sql`
    insert into changes (shop_id, type, record_id, created_at)
    select ${shopId}, 'order', ${numbered('b')}, ${at}
    from ${numbers(from)}`
}

function insertKeys(shopId: string, at: RawBuilder<unknown>, from: number): RawBuilder<unknown> {
  return sql`
    insert into idempotency_keys (shop_id, key, request_hash, resource_id, claimed_by, status, body, expires_at)
    select ${shopId}, 'sale ' || n, ''::bytea, ${numbered('c')}, ${numbered('d')}, 200, repeat('x', 500), ${at}
    from ${numbers(from)}`
}

function insertShopEvents(shopId: string, at: RawBuilder<unknown>, from: number): RawBuilder<unknown> {
  return sql`
    insert into shop_events (shop_id, id, type, data, created_at)
    select ${shopId}, ${numbered('e')}, 'webhook.test', jsonb_build_object('_id', n, 'code', 'DH' || n, 'status', 'completed'), ${at}
    from ${numbers(from)}`
}

async function insertEndpoint(db: Db, shopId: string): Promise<string> {
  const id = createIds().next()
  await sql`
    insert into webhook_endpoints (shop_id, id, url, events, secret, created_at, updated_at)
    values (${shopId}, ${id}, 'https://erp.example.com/', '{*}', '', now(), now())`.execute(db)
  return id
}

/** Inserts events, each with a delivery and an attempt, which are deleted with the event. */
function insertDeliveredEvents(
  shopId: string,
  endpointId: string,
  at: RawBuilder<unknown>,
  from: number,
): RawBuilder<unknown> {
  return sql`
    with events as (${insertShopEvents(shopId, at, from)} returning id, created_at),
    deliveries as (
      insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, attempts, tries, created_at)
      select ${shopId}, ${endpointId}, id, 'delivered', created_at, 1, 1, created_at
      from events
      returning event_id, created_at
    )
    insert into webhook_attempts (shop_id, endpoint_id, event_id, number, status, duration_ms, created_at)
    select ${shopId}, ${endpointId}, event_id, 1, 200, 12, created_at
    from deliveries`
}
