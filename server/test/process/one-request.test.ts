import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutReferences } from '../../src/lib/without-references.ts'
import { parsingMs, timesSlower } from '../support/machine-speed.ts'
import {
  freePorts,
  type HttpAnswer,
  http,
  manageOver,
  type Running,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { orderTemplate } from '../support/sending.ts'

/** One shop's requests must not delay anybody else's: measured from outside, on a service in a separate process. */

const TEMPLATES = '/api/external/notify-template'
/**
 * The processor time that one request may use beyond parsing its body, and for which it may block the event loop. The
 * claim is 50 ms; a busy machine measures more for the same work. The code before took 300 to 2,000 ms.
 */
const MOST_MS = 50 + 100
/** The kernel measures processor time in hundredths of a second. */
const TICK_MS = 10
const MEGABYTE = 1_000_000
/** How long one turn of the event loop may work, and so a request to /health/live may wait, on a dedicated machine. */
const MOST_A_TURN_MS = 100

const folder = temporaryFolder()
let running: Running
let oaId: string
let headers: Record<string, string>

beforeAll(async () => {
  running = await startService({ DATA_DIR: folder.path, ...(await freePorts()) })
  const { shop, apiKey } = (
    await manageOver(running.url, 'POST', '/shops', { name: 'Tiệm Hoa Mai', language: 'en' })
  ).body.data
  oaId = `oa-${shop._id}`
  await manageOver(running.url, 'POST', `/shops/${shop._id}/official-accounts`, {
    oaId,
    name: 'Tiệm Hoa Mai',
  })
  headers = { 'x-api-key': `service-partner ${apiKey}` }
}, 180_000)
afterAll(async () => {
  await running?.end('SIGKILL')
  folder.remove()
})

const call = (method: string, path: string, body?: unknown) => http(running.url, method, path, body, headers)

async function sendText(method: string, path: string, body: string): Promise<HttpAnswer> {
  const answer = await fetch(running.url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}

/** The processor time that the service has used since its start. */
function processorMs(): number {
  const [, rest] = readFileSync(`/proc/${running.child.pid}/stat`, 'utf8').split(') ')
  const [userTicks, systemTicks] = rest!.split(' ').slice(11, 13).map(Number)
  return (userTicks! + systemTicks!) * TICK_MS
}

/** The most processor time that the service's thread used in one turn of its event loop since the last call. */
async function busiestTurnMs(): Promise<number> {
  const metrics = await (await fetch(`${running.url}/metrics`)).text()
  return Number(/^shopbell_event_loop_busy_max_seconds(?:\{[^}]*\})? (\S+)$/m.exec(metrics)![1]) * 1_000
}

/** Sends `times` copies of a body at once. Each may use {@link MOST_MS} of the service's time beyond its parsing. */
async function sendAtOnce(
  method: string,
  path: string,
  body: object,
  { times = 10 } = {},
): Promise<HttpAnswer[]> {
  const text = JSON.stringify(body)
  await sendText(method, path, text)
  await busiestTurnMs()
  const before = processorMs()
  const sent = Promise.all(Array.from({ length: times }, () => sendText(method, path, text)))
  let isOver = false
  let longestWaitMs = 0
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now()
      expect((await fetch(`${running.url}/health/live`)).status).toBe(200)
      longestWaitMs = Math.max(longestWaitMs, performance.now() - start)
      await pause(10)
    }
  })()
  const answers = await sent.finally(() => {
    isOver = true
  })
  await asking
  const eachMs = (processorMs() - before - parsingMs(text, times)) / times
  const turnMs = await busiestTurnMs()
  if (process.env.MEASURE) {
    const name = expect.getState().currentTestName
    process.stdout.write(
      `MS ${eachMs.toFixed(0)} of a request, busiest turn ${turnMs.toFixed(0)}, longest wait ${longestWaitMs.toFixed(0)}: ${name}\n`,
    )
  }
  expect(eachMs).toBeLessThan(MOST_MS)
  expect(turnMs).toBeLessThan(MOST_A_TURN_MS * timesSlower())
  return answers
}

function template(overrides: object): object {
  return { ...orderTemplate(oaId), ...overrides }
}

/** About `length` characters of places for params, each with a different name. */
function places(length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n++) text += `<a${n.toString(36)}>`
  return text
}

const paragraph = (value: string) => ({ id: randomUUID(), type: 'paragraph', value })
const table = (rows: object[]) => ({ id: randomUUID(), type: 'table', rows })

const HEAVY: [string, () => object][] = [
  ['a paragraph of 1 MB of one param', () => ({ contentBlocks: [paragraph('<x>'.repeat(MEGABYTE / 3))] })],
  ['a paragraph of 1 MB of many params', () => ({ contentBlocks: [paragraph(places(MEGABYTE))] })],
  [
    '50 paragraphs of 20 KB',
    () => ({ contentBlocks: Array.from({ length: 50 }, () => paragraph(places(19_900))) }),
  ],
  [
    '1,800 rows of 500 characters',
    () => ({
      contentBlocks: Array.from({ length: 36 }, () =>
        table(Array.from({ length: 50 }, () => ({ label: 'Mã', key: places(490) }))),
      ),
    }),
  ],
  ['50,000 unknown fields', () => Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, 1]))],
]

describe('of ten heavy templates at once, each takes less than 50 ms of the processor beyond its parsing', () => {
  it.each(HEAVY)(
    'lint: %s',
    async (_, overrides) => {
      const answers = await sendAtOnce('POST', `${TEMPLATES}/lint`, template(overrides()))
      for (const { status } of answers) expect([200, 400]).toContain(status)
    },
    60_000,
  )

  it.each(HEAVY)(
    'create: %s',
    async (_, overrides) => {
      const answers = await sendAtOnce('POST', `${TEMPLATES}/create`, template(overrides()))
      for (const { status } of answers) expect(status).toBe(400)
    },
    60_000,
  )
})

describe('the largest body that an operation reads keeps the event loop from turning for less than 100 ms', () => {
  type Schema = { properties?: Record<string, { type?: string; items?: { type?: string } }> }
  type Operation = { requestBody?: { content?: Record<string, { schema?: Schema }> } }
  const document = JSON.parse(
    readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, Record<string, Operation>> }
  const written = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = withoutReferences(requestBody?.content?.['application/json']?.schema, document)
      const isOfAShop = path.startsWith('/api/external/')
      return schema === undefined || !isOfAShop
        ? []
        : [{ name: `${method.toUpperCase()} ${path}`, method, path, schema }]
    }),
  )

  it.each(written)(
    '$name',
    async ({ method, path, schema }) => {
      const lists = Object.entries(schema.properties ?? {}).filter(([, field]) => field.type === 'array')
      const bodies = [
        Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, 1])),
        ...lists.map(([name, { items }]) => {
          const item = items?.type === 'object' ? {} : items?.type === 'string' ? '' : 0
          return { [name]: Array(Math.floor(MEGABYTE / (JSON.stringify(item).length + 1)) - 10).fill(item) }
        }),
      ]
      await busiestTurnMs()
      for (const body of bodies) {
        const answer = await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'ab'.repeat(12)), body)
        expect([200, 201, 202, 400, 404, 409, 422]).toContain(answer.status)
      }
      const turnMs = await busiestTurnMs()
      if (process.env.MEASURE)
        process.stdout.write(`MS busiest turn ${turnMs.toFixed(0)}: ${method} ${path}\n`)
      expect(turnMs).toBeLessThan(MOST_A_TURN_MS * timesSlower())
    },
    60_000,
  )
})

describe('texts of a template', () => {
  const fieldOf = ({ status, body }: HttpAnswer) => [status, body.validation?.body]

  it('400 naming the field for one far too long to be looked at, also by lint', async () => {
    const body = template({ contentBlocks: [paragraph('Chào bạn'), paragraph('a'.repeat(20_001))] })
    for (const path of ['create', 'lint']) {
      expect(fieldOf(await call('POST', `${TEMPLATES}/${path}`, body))).toEqual([
        400,
        {
          source: 'body',
          keys: ['contentBlocks.1.value'],
          message: '"contentBlocks[1].value" length must be less than or equal to 5000 characters long',
        },
      ])
    }
  })

  it('400 naming contentBlocks when all of them together are too long; lint lists it', async () => {
    const value = `${'a'.repeat(4_989)} <order_code>`.slice(0, 5_000)
    const body = template({ contentBlocks: Array.from({ length: 21 }, () => paragraph(value)) })
    const says = '"contentBlocks" must contain at most 100000 characters in total'
    expect(fieldOf(await call('POST', `${TEMPLATES}/create`, body))).toEqual([
      400,
      { source: 'body', keys: ['contentBlocks'], message: says },
    ])
    const lint = await call('POST', `${TEMPLATES}/lint`, body)
    expect(lint.body.data.errors).toEqual([
      { path: 'contentBlocks', message: `${says}. Shorten the texts, or remove blocks.` },
    ])
  })

  it('the longest that create takes is checked, stored, changed and shown without delaying other requests', async () => {
    const contentBlocks = Array.from({ length: 50 }, () => paragraph('<order_code>'.repeat(158)))
    const longest = template({ contentBlocks })
    const few = { times: 5 }
    await sendAtOnce('POST', `${TEMPLATES}/lint`, longest, few)
    const [made] = await sendAtOnce('POST', `${TEMPLATES}/create`, longest, few)
    expect(made!.status).toBe(200)
    const path = `${TEMPLATES}/${made!.body.template._id}`
    await sendAtOnce('PATCH', path, longest, few)
    const before = processorMs()
    for (let n = 0; n < few.times; n++) {
      const page = await fetch(`${running.url}${path}/preview`, { headers })
      expect(await page.text()).toContain('DH1024DH1024')
    }
    expect((processorMs() - before) / few.times).toBeLessThan(MOST_MS)
  }, 60_000)
})
