import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePorts, run, temporaryFolder } from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
const env = { DATA_DIR: join(folder.path, 'data'), OPERATOR_TOKEN: 'a-token-that-nobody-asks-for' }

describe('shopbell: an error is one line on stderr and exit code 1', () => {
  it.each([
    ['an unknown command', ['bogus'], 'unknown command'],
    ['a missing argument', ['shop', 'create'], 'missing required argument'],
    ['an unknown option', ['shop', 'list', '--all'], 'unknown option'],
    [
      'a file that cannot be written',
      ['openapi', '--out', join(folder.path, 'none', 'x.json')],
      'none/x.json',
    ],
    [
      'an address that is none',
      ['--url', 'nonsense', 'shop', 'list'],
      '--url nonsense is not usable: use an address starting with http:// or https://',
    ],
  ])('%s, as text and with --json', async (_, args, says) => {
    const [text, json] = await Promise.all([run(args, env), run(['--json', ...args], env)])
    for (const answer of [text, json]) {
      expect([answer.code, answer.out]).toEqual([1, ''])
      expect(answer.err.trimEnd().split('\n')).toHaveLength(1)
    }
    expect(text.err).toMatch(/^shopbell: /)
    expect(text.err).toContain(says)
    expect(Object.keys(JSON.parse(json.err))).toEqual(['error'])
    expect(JSON.parse(json.err).error).toContain(says)
  })

  it('no operator token: where it is looked for, whether or not a service runs', async () => {
    const answer = await run(['shop', 'list'], { DATA_DIR: env.DATA_DIR })
    expect([answer.code, answer.out]).toEqual([1, ''])
    expect(answer.err).toMatch(
      /^shopbell: No operator token found\. Set OPERATOR_TOKEN, or set DATA_DIR .*\n$/,
    )
  })

  it('another program at the address', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>It works</h1>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const answer = await run(['--url', `http://127.0.0.1:${port}`, 'shop', 'list'], env)
    server.close()
    expect([answer.code, answer.out]).toEqual([1, ''])
    expect(answer.err).toBe(
      `shopbell: The server at http://127.0.0.1:${port} is not Shopbell: correct --url or PORT.\n`,
    )
  })

  it('a name that would act on the terminal is printed with its control characters as codes, and as it is in JSON', async () => {
    const name = 'Tiệm\u001b[31m\nMộc\u202e'
    const shop = { _id: 'a'.repeat(24), createdAt: '2026-11-30T00:00:00.000Z', name }
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [shop] }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const list = ['--url', `http://127.0.0.1:${port}`, 'shop', 'list']
    const [text, json] = [await run(list, env), await run(['--json', ...list], env)]
    server.close()
    expect(text.out).toBe(`${shop._id}  ${shop.createdAt}  Tiệm\\u001b[31m\\u000aMộc\\u202e\n`)
    expect(JSON.parse(json.out).data).toEqual([shop])
  })

  it('a service that ends in the middle of its answer', async () => {
    const server = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
        .write('{"data":')
      setTimeout(() => response.destroy(), 50)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const answer = await run(['--url', `http://127.0.0.1:${port}`, 'shop', 'list'], env)
    server.close()
    expect([answer.code, answer.out]).toEqual([1, ''])
    expect(answer.err).toMatch(/^shopbell: The service stopped before it responded.*\n$/)
  })
})

/**
 * Every command, in the order of `--help`, with the arguments to try it with; null if it needs neither a service nor a
 * database.
 */
const COMMANDS: Record<string, string[] | null> = {
  serve: [],
  migrate: [],
  openapi: null,
  schema: null,
  'shop create': ['Tiệm Hoa'],
  'shop list': [],
  'shop show': ['id'],
  'shop suspend': ['id'],
  'shop resume': ['id'],
  'shop update': ['id', '--name', 'Hoa'],
  'shop delete': ['id', '--name', 'Hoa'],
  'shop keep': ['id'],
  'shop export': ['id', 'shop.ndjson'],
  'shop closed': [],
  'key issue': ['id', 'till'],
  'key list': ['id'],
  'key rotate': ['id', 'key'],
  'key revoke': ['id', 'key'],
  'oa link': ['id', 'oa', 'Hoa'],
  'oa list': ['id'],
  'oa update': ['id', 'account'],
  'oa unlink': ['id', 'account'],
  'wallet top-up': ['id', '1000'],
  'wallet correct': ['id', '1000', '--note', 'x'],
  audit: [],
  'app set': ['app'],
  'app list': [],
  'app remove': ['app'],
  'stock verify': ['--all'],
  'person export': ['id', '0912345678', '--out', 'person.json'],
  'person erase': ['0912345678', '--all'],
  doctor: [],
  'platform bill compare': ['2026-11.csv'],
  mcp: [],
  backup: ['backup.shopbell'],
  restore: ['of-postgres.shopbell'],
  move: ['--to', 'postgres://postgres@127.0.0.1:9/none'],
  'secrets reseal': [],
  completion: null,
}

describe('each command, with the service away or the database', () => {
  const cwd = join(folder.path, 'work')
  const given = Object.entries(COMMANDS)

  it('is in the list of these tests', async () => {
    const { out } = await run(['completion', 'bash'], {})
    const paths = [...out.matchAll(/^ {4}'([^']+)'\) names=/gm)].map((match) => match[1]!)
    const leaves = paths.filter((path) => paths.every((other) => !other.startsWith(`${path} `)))
    expect(Object.keys(COMMANDS).toSorted()).toEqual(leaves.toSorted())
  })

  it('ends with 1 and one line on stderr that says what to do, and writes nothing', async () => {
    mkdirSync(cwd)
    writeFileSync(join(cwd, '2026-11.csv'), 'msg_id,amount\na,200\n')
    await writeBackupOfPostgres(join(cwd, 'of-postgres.shopbell'))
    const before = readdirSync(cwd)
    const away = {
      ...env,
      ...(await freePorts()),
      SHOPBELL_API_KEY: 'a-key',
      SECRETS_KEY: `${'a'.repeat(64)},${'b'.repeat(64)}`,
      PLATFORM: 'simulator',
      CONSOLE: '0',
    }
    const needsDatabase = ['serve', 'migrate', 'doctor', 'backup', 'restore', 'secrets reseal']
    for (const [command, args] of given) {
      if (args === null) continue
      const settings = needsDatabase.includes(command)
        ? { ...away, DATABASE_URL: 'postgres://postgres@127.0.0.1:9/none' }
        : away
      const files = args.map((arg) => (/\.(csv|json|ndjson|shopbell)$/.test(arg) ? join(cwd, arg) : arg))
      const { code, out, err } = await run([...command.split(' '), ...files], settings)
      const says =
        command === 'doctor'
          ? out
              .split('\n')
              .filter((line) => /^WRONG/.test(line))
              .join('\n')
          : err
      expect({ command, code, lines: says.trim().split('\n').length }, `${out}${err}`).toEqual({
        command,
        code: 1,
        lines: 1,
      })
      expect(says, command).toMatch(
        /No Shopbell is running at .*Start it with|PostgreSQL at 127\.0\.0\.1:9 cannot be used|start PostgreSQL, or correct|set DATA_DIR to the service/,
      )
      expect(readdirSync(cwd), command).toEqual(before)
    }
  }, 180_000)
})

/** Only a manifest, because it is read first, and the database is checked before anything else is unpacked. */
async function writeBackupOfPostgres(file: string): Promise<void> {
  const stage = join(folder.path, 'stage')
  mkdirSync(stage)
  const manifest = {
    format: 1,
    version: '0.1.0',
    schema: '0001',
    kind: 'postgres',
    sealingKey: '',
    images: 0,
  }
  writeFileSync(join(stage, 'manifest.json'), JSON.stringify(manifest))
  execFileSync('tar', ['-czf', file, '-C', stage, 'manifest.json'])
}
