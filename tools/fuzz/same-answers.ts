import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openPostgres } from '../../server/src/db/client.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { seed as seedShops } from '../load/shared/seed.ts'
import { type Client, connect, type WireAnswer } from './client.ts'
import { type ApiDocument, type Operation, operationsOf } from './document.ts'
import { mutate, type Sent, write } from './requests/mistakes.ts'
import { seeded } from './requests/random.ts'
import { validDraft } from './requests/valid-drafts.ts'
import { CallRefused, learn, readBody, validCall } from './run.ts'
import { makeDatabase, startService } from './service.ts'
import type { Call, Shop, World } from './shapes.ts'
import { openSinks } from './world/sinks.ts'
import { makeWorld } from './world/world.ts'

const USAGE = `FUZZ_DATABASE_URL=… npm run check:answers -- <folder> [--seed <number>] [--requests <number>]

Compares the answers of this checkout with those of another one, whose migrations are at most these: both run on one database
with records of every kind and a shop of 10,000 products and orders, and get the same 2,000 requests over all reads: filters, pages,
sorts, existing, foreign and malformed ids. Status, body, ETag and content type must be the same, byte for byte; ids of requests aside.
Exit code 1 on anything that differs.
`

/** They describe the process itself or the moment, or answer at random. */
const OF_THE_PROCESS =
  /^GET \/(health|metrics|docs|openapi|llms)|\/(health|checks|exports|jobs|queues|circuits|free-barcodes)|\/api\/auth\//
const SEEDED = { shops: 1, products: 10_000, orders: 10_000, smallProducts: 0, smallOrders: 0 }
/** Of the requests, those to the large shop; of all, those with a mistake. */
const LARGE = 0.4
const SPOILT = 0.3
/** Valid writes beside the world's, so that lists have records to show. */
const WRITES = 600
/** What is being done in the background comes to its end. */
const SETTLE_MS = 5_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
})
const [other] = positionals
const serverUrl = process.env.FUZZ_DATABASE_URL
if (values.help || other === undefined || serverUrl === undefined) {
  process.stdout.write(USAGE)
  process.exit(values.help ? 0 : 1)
}
const seed = Number(values.seed)
const requests = Number(values.requests)
const say = (line: string) => process.stdout.write(`${line}\n`)
const dataDir = mkdtempSync(join(tmpdir(), 'shopbell-answers-'))
const database = await makeDatabase(serverUrl)
try {
  const { same, changing, differing } = await compare(resolve(other))
  for (const [title, examples] of Object.entries({ changing, differing }))
    for (const [name, { count, example }] of examples) say(`${title}: ${count} × ${name}\n${example}`)
  say(
    `${same} of ${requests} answers are the same, ${sumOf(changing)} changed at the same version too, ${sumOf(differing)} differ`,
  )
  process.exitCode = differing.size === 0 ? 0 : 1
} finally {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

/** By operation, with the first example. */
type Examples = Map<string, { count: number; example: string }>
/** `changing`: the same version gave another answer a moment later. */
type Found = { same: number; changing: Examples; differing: Examples }

async function compare(folder: string): Promise<Found> {
  const large = await seedLarge()
  const sinks = await openSinks()
  const given = { dataDir, databaseUrl: database.url, smtpUrl: sinks.smtpUrl }
  const here = await startService(given)
  const there = await startService({
    ...given,
    folder,
    simulatorUrl: here.simulatorUrl,
    publicUrl: here.url,
  })
  const [one, two] = [connect(here.url, 1), connect(there.url, 1)]
  try {
    const document = (await (await fetch(`${here.url}/openapi.json`)).json()) as ApiDocument
    const operations = operationsOf(document)
    const call: Call = async (method, path, as, body) => {
      const { status, headers, bytes } = await one.send(
        validCall(operations, method, path, as, body, undefined),
      )
      const answered = { status, headers, body: readBody(bytes) }
      if (status >= 300) throw new CallRefused(`${method} ${path}: ${status} ${bytes}`)
      return answered
    }
    const world = await makeWorld(call, sinks.webhookUrl, seed)
    await fill(world, operations, one)
    const [{ ids, sessions }] = world.shops
    Object.assign(large, { ids: { ...ids, ...large.ids }, sessions })
    await new Promise((done) => setTimeout(done, SETTLE_MS))
    const reads = operations.filter(({ method, name }) => method === 'GET' && !OF_THE_PROCESS.test(name))
    say(`${reads.length} reads, ${requests} requests, seed ${seed}`)
    return await askBoth(world, large, reads, one, two)
  } finally {
    one.close()
    two.close()
    await there.stop()
    await here.stop()
    sinks.close()
  }
}

/** The large shop, with the ids of its first records. */
async function seedLarge(): Promise<Shop> {
  const opened = openPostgres(database.url)
  await migrate(opened)
  const [shop] = await seedShops(opened.db, SEEDED)
  await opened.close()
  const { shopId, apiKey, productIds, skuIds, orderIds } = shop!
  const ids = { product: productIds.slice(0, 50), sku: skuIds.slice(0, 50), order: orderIds.slice(0, 50) }
  return {
    id: shopId,
    mark: 'Áo',
    oaId: '',
    key: apiKey,
    scopedKeys: [apiKey],
    sessions: [],
    ids: ids as Shop['ids'],
  }
}

async function fill(world: World, operations: Operation[], client: Client): Promise<void> {
  const writes = operations.filter(({ method, name }) => method !== 'GET' && /\/api\/external\//.test(name))
  for (let n = 0; n < WRITES; n++) {
    const random = seeded(seed, -1 - n)
    try {
      const draft = await validDraft(random.pick(writes), { world, shop: world.shops[0], random })
      const sent = write(draft)
      const { status, headers, bytes } = await client.send(sent)
      learn(sent, { status, headers, body: readBody(bytes) })
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error
    }
  }
}

async function askBoth(
  world: World,
  large: Shop,
  reads: Operation[],
  one: Client,
  two: Client,
): Promise<Found> {
  const ofShops = reads.filter(({ path }) => path.startsWith('/api/external/'))
  const found: Found = { same: 0, changing: new Map(), differing: new Map() }
  for (let n = 0; n < requests; n++) {
    const random = seeded(seed, n)
    const isLarge = random.chance(LARGE)
    const shop = isLarge ? large : random.pick(world.shops)
    const operation = random.pick(isLarge ? ofShops : reads)
    const draft = await validDraft(operation, { world, shop, random })
    const spoilt = random.chance(SPOILT) ? mutate(draft, random, world.shops[1]) : write(draft)
    // A mistake may be another method: a write would be done twice.
    const sent = spoilt.method === 'GET' ? spoilt : { ...spoilt, method: 'GET' }
    // The first answer of each is not kept, the second is, the third is given from memory.
    const times = random.chance(0.2) ? 3 : 1
    for (let time = 1; time < times; time++) await Promise.all([one.send(sent), two.send(sent)])
    const [ours, theirs] = [textOf(await one.send(sent)), textOf(await two.send(sent))]
    if (ours === theirs) {
      found.same += 1
      continue
    }
    const again = textOf(await one.send(sent))
    if (ours === again) note(found.differing, operation.name, sent, ours, theirs)
    else note(found.changing, operation.name, sent, ours, again)
  }
  return found
}

function sumOf(examples: Examples): number {
  return [...examples.values()].reduce((sum, { count }) => sum + count, 0)
}

function note(examples: Examples, name: string, sent: Sent, one: string, other: string): void {
  const known = examples.get(name)
  if (known !== undefined) known.count += 1
  else {
    const at = [...one].findIndex((character, index) => character !== other[index])
    const part = (text: string) => text.slice(Math.max(0, at - 200), at + 200)
    const example = `  ${sent.method} ${sent.path}\n  one   ${part(one)}\n  other ${part(other)}`
    examples.set(name, { count: 1, example })
  }
}

/** What must be the same; the id of a request is in errors. */
function textOf({ status, headers, bytes }: WireAnswer): string {
  const head = `${status} ${headers['content-type'] ?? ''} ${headers.etag ?? ''} ${headers['cache-control'] ?? ''}`
  const id = headers['x-request-id']
  const body = bytes.toString('latin1')
  return `${head}\n${typeof id === 'string' ? body.replaceAll(id, 'request-id') : body}`
}
