import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { run, temporaryFolder } from '../support/process.ts'

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
    ['an address that is none', ['--url', 'nonsense', 'shop', 'list'], 'No Shopbell is running at nonsense'],
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
    expect(answer.err).toBe(`shopbell: The server at http://127.0.0.1:${port} is not Shopbell.\n`)
  })
})
