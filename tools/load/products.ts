import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../shared/wait.ts'
import { memoryMb } from './shared/figures.ts'
import { type Child, onServer, start, stop } from './shared/processes.ts'

// npm run bench:products: measures an import and an export of products, from the request to its end, and stock entries. BENCH_PRODUCTS
// (10000), BENCH_DATABASE_URL (else the embedded database).

const PRODUCTS = Number(process.env.BENCH_PRODUCTS ?? 10_000)
const [ENTRIES, ENTRY_LINES] = [9, 1_000]
const server = process.env.BENCH_DATABASE_URL
const OPERATOR_TOKEN = 'operator-token-of-the-bench'
const PATH = '/api/external/v1/products'

const say = (line: string) => process.stdout.write(`${line}\n`)

type Caller = (path: string, init?: RequestInit) => Promise<Response>

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-bench-'))
  const name = `shopbell_bench_${randomBytes(4).toString('hex')}`
  const databaseUrl =
    server === undefined ? undefined : Object.assign(new URL(server), { pathname: `/${name}` }).href
  if (server !== undefined) await onServer(server, `create database ${name}`)
  let service: Child | undefined
  try {
    service = await start('server/src/process/cli/main.ts', ['serve'], {
      PORT: '0',
      PLATFORM: 'simulator',
      SIMULATOR_PORT: '0',
      DATA_DIR: folder,
      DEMO: '0',
      CONSOLE: '0',
      LOG_LEVEL: 'warn',
      OPERATOR_TOKEN,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    })
    const { url } = service
    const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0]
    say(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, load ${load}, Node ${process.versions.node}, ${server === undefined ? 'embedded database' : 'PostgreSQL'}`,
    )
    const whole = await makeShop(url)
    await report(service, `import ${PRODUCTS} products × 2 SKUs, all or nothing`, () =>
      importFile(whole, file(), 'all-or-nothing'),
    )
    const each = await makeShop(url)
    await report(service, `import ${PRODUCTS} products × 2 SKUs, each row`, () =>
      importFile(each, file(), 'each-row'),
    )
    let exported = ''
    await report(service, 'export them', async () => {
      exported = await (await whole(`${PATH}/export`)).text()
      return `${(Buffer.byteLength(exported) / 1024 ** 2).toFixed(1)} MB`
    })
    await report(service, 'import the export: nothing changes', () =>
      importFile(whole, exported, 'all-or-nothing'),
    )
    await report(service, 'import it with other prices', () =>
      importFile(whole, exported.replaceAll(',200000,', ',210000,'), 'all-or-nothing'),
    )
    const entry = await entryOf(whole)
    await report(service, `${ENTRIES} stock entries of ${ENTRY_LINES} lines`, () =>
      recordEntries(whole, entry),
    )
    await stop(service)
    service = undefined
  } finally {
    service?.process.kill('SIGKILL')
    if (server !== undefined) await onServer(server, `drop database if exists ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeShop(url: string): Promise<Caller> {
  const made = await fetch(`${url}/api/manage/v1/shops`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench' }),
  })
  const { data } = (await made.json()) as { data: { apiKey: string } }
  return (path, init = {}) =>
    fetch(url + path, {
      ...init,
      headers: { ...init.headers, 'x-api-key': `service-partner ${data.apiKey}` },
    })
}

function file(): string {
  const lines = Array.from({ length: PRODUCTS }, (_, n) =>
    ['S', 'L'].map(
      (size) =>
        `ao-${n},"Áo thun cổ tròn số ${n}","Vải cotton, giặt máy",200000,${size},200000,AT${n}-${size},Cỡ,${size}`,
    ),
  )
  return `slug,name,description,price,skuName,skuPrice,skuCode,option1Name,option1Value\n${lines.flat().join('\n')}`
}

async function importFile(shop: Caller, text: string, mode: string): Promise<string> {
  const accepted = await shop(`${PATH}/import?mode=${mode}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: text,
  })
  if (accepted.status !== 202) throw new Error(await accepted.text())
  const { data } = (await accepted.json()) as { data: { _id: string } }
  let now: Record<string, number | string> = {}
  const hasEnded = async () => {
    const read = await shop(`${PATH}/imports/${data._id}`)
    now = ((await read.json()) as { data: typeof now }).data
    return now.status === 'done' || now.status === 'failed'
  }
  await waitUntil(hasEnded, { everyMs: 100 })
  if (now.status === 'failed') throw new Error(JSON.stringify(now))
  return `created ${now.created}, updated ${now.updated}, unchanged ${now.unchanged}`
}

/** An entry (G-40) that receives pieces of SKUs of the first products. */
async function entryOf(shop: Caller): Promise<string> {
  const read = async <T>(path: string) => ((await (await shop(path)).json()) as { data: T }).data
  const { warehouses } = await read<{ warehouses: { _id: string }[] }>('/api/external/v1/warehouses')
  const items: { skuId: string; quantity: number }[] = []
  for (let page = 1; items.length < ENTRY_LINES; page++) {
    const { products } = await read<{ products: { skus: { id: string }[] }[] }>(
      `${PATH}?select=skus&limit=50&page=${page}`,
    )
    if (products.length === 0) throw new Error(`an entry of ${ENTRY_LINES} lines needs as many SKUs`)
    for (const { skus } of products) for (const { id } of skus) items.push({ skuId: id, quantity: 5 })
  }
  return JSON.stringify({
    warehouseId: warehouses[0]!._id,
    type: 'receive',
    items: items.slice(0, ENTRY_LINES),
  })
}

/** Returns the median time of an entry. */
async function recordEntries(shop: Caller, body: string): Promise<string> {
  const times: number[] = []
  for (let n = 0; n < ENTRIES; n++) {
    const startedAt = performance.now()
    const made = await shop('/api/external/v1/inventory/entries', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    if (!made.ok) throw new Error(`${made.status} ${await made.text()}`)
    await made.arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  return `median ${times.sort((a, b) => a - b)[Math.floor(ENTRIES / 2)]!.toFixed(0)} ms`
}

async function report(service: Child, name: string, work: () => Promise<string>): Promise<void> {
  const startedAt = performance.now()
  const outcome = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { peak } = memoryMb(service.process.pid!)
  say(`${name.padEnd(52)} ${seconds.toFixed(1).padStart(6)} s  peak ${peak.toFixed(0)} MB  ${outcome}`)
}

await main()
