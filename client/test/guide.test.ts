import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movesTo, ORDER_STATUSES, type OrderStatus } from '../../server/src/modules/orders/rules.ts'
import { assertPublishable, type TemplateStatus } from '../../server/src/modules/templates/rules.ts'
import { freePorts, temporaryFolder } from '../../server/test/support/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8')
const fences = [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({
  language: language!,
  text: text!,
}))
const piecesIn = (language: string) =>
  fences.filter((one) => one.language === language).map((one) => one.text)
const [starting, ...calls] = piecesIn('sh')
const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'))

it('has no fence but those that are run here, and the diagrams', () => {
  expect(new Set(fences.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', 'python', 'text']))
  expect(guide.match(/^```/gm)?.length).toBe(fences.length * 2)
})

it('names only files of the repository that are there', () => {
  const named = guide.match(/docs\/guide\/[\w.-]+/g)!
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

describe('followed on a service of its own', () => {
  const folder = temporaryFolder()
  let ports: { PORT: string; SIMULATOR_PORT: string }
  let stop: () => Promise<unknown>

  /** A reader's folder: a checkout whose service keeps its data beside it. */
  const inFolder = (name: string) => join(folder.path, name)
  const asHere = (text: string) =>
    text.replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.PORT}`).replaceAll('sleep 1;', 'sleep 0.2;')

  beforeAll(async () => {
    ports = await freePorts()
    // `npm ci` has made the folder that this test runs from.
    expect(starting).toBe('npm ci\nnpm start\n')
    expect(existsSync(join(ROOT, 'node_modules/.package-lock.json'))).toBe(true)
    for (const name of ['docs', 'node_modules', 'package.json']) symlinkSync(join(ROOT, name), inFolder(name))
    stop = await npmStart({ ...ports, DATA_DIR: inFolder('data'), CONSOLE: '0', LOG_LEVEL: 'warn' })
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

/** The arrows of a diagram: `A ──label──▶ B ──▶ C`; several states with commas before an arrow share it. */
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

/** `npm start` of the checkout, once it says that it is ready. @returns what stops it. */
async function npmStart(settings: Record<string, string>): Promise<() => Promise<unknown>> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    // With what npm starts.
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
