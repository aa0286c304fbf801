import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movesTo, ORDER_STATUSES, type OrderStatus } from '../../server/src/modules/orders/rules.ts'
import { assertPublishable, type TemplateStatus } from '../../server/src/modules/templates/rules.ts'
import { freePorts, temporaryFolder } from '../../server/test/support/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const guide = pageOf('docs/guide.md')
const topics = pageOf('docs/topics.md')
const { piecesIn } = guide
const [starting, ...calls] = piecesIn('sh')
const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'))

/** A page of the documentation and its code fences. */
function pageOf(path: string) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const fences = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, piece]) => ({
    language: language!,
    piece: piece!,
  }))
  const piecesIn = (language: string) =>
    fences.filter((one) => one.language === language).map(({ piece }) => piece)
  return { text, fences, piecesIn }
}

// The topics' TypeScript is compiled in package.test.ts.
it.each([
  ['the first hour', guide, ['sh', 'ts', 'python', 'text']],
  ['the topics', topics, ['sh', 'js', 'ts', 'json']],
])('%s has no fence but those that are run or compiled, and the diagrams', (_name, page, languages) => {
  expect(new Set(page.fences.map(({ language }) => language))).toEqual(new Set(languages))
  expect(page.text.match(/^```/gm)?.length).toBe(page.fences.length * 2)
})

it('names only files of the repository that are there', () => {
  const named = guide.text.match(/docs\/guide\/[\w.-]+/g)!
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

describe('followed on a service of its own', () => {
  const folder = temporaryFolder()
  let ports: { PORT: string; SIMULATOR_PORT: string }
  let stop: () => Promise<unknown>

  /** A reader's folder: a checkout whose service keeps its data in it. */
  const inFolder = (name: string) => join(folder.path, name)
  const asHere = (text: string) =>
    text.replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.PORT}`).replaceAll('sleep 1;', 'sleep 0.2;')

  beforeAll(async () => {
    ports = await freePorts()
    // `npm ci` has made the folder that this test runs from.
    expect(starting).toBe('npm ci\nnpm start\n')
    expect(existsSync(join(ROOT, 'node_modules/.package-lock.json'))).toBe(true)
    for (const name of ['docs', 'node_modules', 'package.json']) symlinkSync(join(ROOT, name), inFolder(name))
    stop = await npmStart({
      ...ports,
      DATA_DIR: inFolder('data'),
      CONSOLE: '0',
      LOG_LEVEL: 'warn',
      // A reader takes hours for what this test does within a minute.
      RATE_LIMIT_PER_MINUTE: '1000',
    })
  }, 120_000)
  afterAll(async () => {
    await stop?.()
    folder.remove()
  })

  it.each([
    ['curl', 'hour.sh', 'bash', () => `set -euo pipefail\n${calls.join('\n')}`],
    ['TypeScript', 'hour.mts', process.execPath, () => piecesIn('ts').join('\n')],
    ['Python', 'hour.py', 'python3', () => piecesIn('python').join('\n')],
  ])(
    'the %s leads to a delivered message, a sale in the ERP and a refusal that names its field',
    async (_language, file, command, program) => {
      writeFileSync(inFolder(file), asHere(program()))
      const { stdout } = await promisify(execFile)(command, [file], { cwd: folder.path, timeout: 60_000 })
      expect(stdout).toMatch(/template [0-9a-f]{24} is ENABLE\n/)
      expect(stdout).toMatch(/message [0-9a-f]{24} was delivered\n/)
      expect(stdout).toMatch(/DH\d+ completed \d+\n/)
      expect(stdout).toMatch(/limit\\?" must be less than or equal to 50/)
      if (file !== 'hour.sh') return
      // The traps, and going live.
      expect(stdout).toMatch(/orders until \S+: 0\nand its whole day: true\n/)
      expect(stdout).toMatch(/^tra-ngon-[0-9a-f]{24}\ntra-sen(-\d+)?$/m)
      expect(stdout).toMatch(/^partially_paid\n100000 \+ 50000$/m)
      expect(stdout).toContain('balance 500000 đồng, held 0 đồng')
    },
    90_000,
  )

  it('the shell of the topics runs from top to bottom', async () => {
    writeFileSync(inFolder('topics.sh'), asHere(`set -euo pipefail\n${topics.piecesIn('sh').join('\n')}`))
    const { stdout } = await promisify(execFile)('bash', ['topics.sh'], {
      cwd: folder.path,
      timeout: 120_000,
    })
    expect(stdout).toMatch(/\/images\/[0-9a-f]+\/[^"]+\.png/)
    expect(stdout).toContain('"type":"receive","quantity":20')
    expect(stdout).toContain('"paidAmount":150000')
    expect(stdout).toMatch(/"message_id":"[0-9a-f]{24}"/)
    expect(stdout).toMatch(/\{"end":true,"count":\d+\}\n/)
    expect(stdout).toContain('key.revoke')
    expect(stdout).toContain('balance 499500 đồng, held 0 đồng')
  }, 150_000)

  it('the receiver of webhooks takes an event once, and only with its signature', async () => {
    const [receiver] = topics.piecesIn('js')
    writeFileSync(
      inFolder('receiver.mjs'),
      receiver!.replace('.listen(4000)', '.listen(0, function () { console.log(this.address().port) })'),
    )
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const child = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder.path,
      env: { ...process.env, WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let printed = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
      })
      await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/^\d+\n/)
      const [id, now] = ['msg_1', new Date()]
      const body = JSON.stringify({ type: 'webhook.test', timestamp: now.toISOString(), data: {} })
      const deliver = async (signature: string) => {
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': signature,
        }
        const answer = await fetch(`http://127.0.0.1:${printed.split('\n')[0]}/`, {
          method: 'POST',
          headers,
          body,
        })
        return answer.status
      }
      const signature = new Webhook(secret).sign(id, now, body)
      const statuses = [await deliver(signature), await deliver(signature), await deliver('v1,AAAA')]
      expect(statuses).toEqual([204, 204, 400])
      await expect.poll(() => printed, { timeout: 20_000 }).toContain('webhook.test')
      expect(printed.match(/webhook\.test/g)?.length).toBe(1)
    } finally {
      child.kill()
    }
  }, 60_000)

  it('the settings of an assistant start one that reads the shop', async () => {
    const { command, args, env } = JSON.parse(asHere(topics.piecesIn('json')[0]!)).mcpServers.shopbell
    const key = readFileSync(inFolder('data/demo-api-key'), 'utf8').trim()
    expect(env).toEqual({ SHOPBELL_API_KEY: 'sb_live_…' })
    const assistant = new Client({ name: 'assistant', version: '1' })
    await assistant.connect(
      new StdioClientTransport({
        command,
        args,
        cwd: folder.path,
        env: { PATH: process.env.PATH!, SHOPBELL_API_KEY: key },
      }),
    )
    try {
      const { content } = await assistant.callTool({ name: 'getWallet', arguments: {} })
      expect(JSON.stringify(content)).toContain('balance')
    } finally {
      await assistant.close()
    }
  }, 60_000)
})

describe('the diagrams', () => {
  const [templates, messages, orders] = piecesIn('text').map(edgesOf) as [Edge[], Edge[], Edge[]]
  const nodesOf = (edges: Edge[]) => [...new Set(edges.flatMap(({ from, to }) => [from, to]))].toSorted()

  it('of a template have its statuses, and publish from where it may be published', () => {
    const statuses = document.components.schemas.Template.properties.status.enum as TemplateStatus[]
    expect(nodesOf(templates)).toEqual(statuses.toSorted())
    const publishable = statuses.filter((status) => {
      try {
        assertPublishable(status)
        return true
      } catch {
        return false
      }
    })
    const published = templates.filter(({ label }) => label === 'publish')
    expect(published.map(({ from }) => from).toSorted()).toEqual(publishable.toSorted())
    expect(new Set(published.map(({ to }) => to))).toEqual(new Set(['PENDING_REVIEW']))
  })

  it('of a message have its states', () => {
    expect(nodesOf(messages)).toEqual(document.components.schemas.Message.properties.status.enum.toSorted())
  })

  it('of an order lead to just the statuses that it may get, steps skipped', () => {
    expect(nodesOf(orders)).toEqual([...ORDER_STATUSES].toSorted())
    const pairs = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const))
    const allowed = pairs.filter(([from, to]) => isAllowed(from, to)).map(String)
    expect(pairs.filter(([from, to]) => reaches(orders, from, to)).map(String)).toEqual(allowed)
  })
})

type Edge = { from: string; label: string; to: string }

/** The arrows of a diagram: `A ──label──▶ B ──▶ C`; several states, separated by commas, can share an arrow. */
function edgesOf(diagram: string): Edge[] {
  return diagram
    .trim()
    .split('\n')
    .flatMap((line) => {
      const parts = line.trim().split(/\s*──(.*?)(?:──)?▶\s*/)
      const edges: Edge[] = []
      for (let at = 0; at + 2 < parts.length; at += 2)
        for (const from of parts[at]!.split(', '))
          edges.push({ from, label: parts[at + 1]!, to: parts[at + 2]! })
      return edges
    })
}

function reaches(edges: Edge[], from: string, to: string): boolean {
  return edges.some((edge) => edge.from === from && (edge.to === to || reaches(edges, edge.to, to)))
}

function isAllowed(from: OrderStatus, to: OrderStatus): boolean {
  try {
    return movesTo(from, to)
  } catch {
    return false
  }
}

/** Runs `npm start` in the checkout and waits until it reports that it is ready. @returns a function that stops it. */
async function npmStart(settings: Record<string, string>): Promise<() => Promise<unknown>> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Its own process group, which includes what npm starts.
    detached: true,
  })
  const ended = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('Shopbell is ready at')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${text}`)))
  })
  return () => {
    process.kill(-child.pid!, 'SIGTERM')
    return ended
  }
}
