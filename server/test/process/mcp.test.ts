import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { program, run, temporaryFolder } from '../support/process.ts'
import { makeShop, type Partner, service } from '../support/service.ts'

const running = await service()
const { port } = running.app.server.address() as { port: number }
const url = `http://127.0.0.1:${port}`
const folder = temporaryFolder()
afterAll(folder.remove)

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const readOperations = Object.entries<Record<string, { operationId: string }>>(document.paths)
  .filter(([path]) => path.startsWith('/api/external/'))
  .flatMap(([, { get }]) =>
    get === undefined || get.operationId === 'downloadExport' ? [] : [get.operationId],
  )

/** An assistant that has started `shopbell mcp` for its own shop. */
async function makeAssistant(args: string[] = []): Promise<{ assistant: Client; shop: Partner }> {
  const shop = await makeShop(running)
  const assistant = new Client({ name: 'assistant', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program(), '--url', url, 'mcp', ...args],
    env: { SHOPBELL_API_KEY: shop.apiKey },
  })
  await assistant.connect(transport)
  onTestFinished(() => assistant.close())
  return { assistant, shop }
}

async function call(assistant: Client, name: string, args: Record<string, unknown> = {}) {
  const { isError = false, content } = await assistant.callTool({ name, arguments: args })
  const [{ text }] = content as [{ text: string }]
  return { isError, text }
}

describe('shopbell mcp', () => {
  it('offers every read operation of the document, and what only checks, as a tool that says so', async () => {
    const { assistant } = await makeAssistant()
    const { tools } = await assistant.listTools()
    const names = tools.map(({ name }) => name)
    const checks = [
      'countAudience',
      'lintTemplate',
      'previewBatch',
      'previewBatchToAudience',
      'previewInventoryEntry',
      'previewPosOrder',
    ]
    expect(names.toSorted()).toEqual([...readOperations, ...checks].toSorted())
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    const list = tools.find(({ name }) => name === 'listProducts')!
    expect(list.inputSchema.properties).toMatchObject({ search: { type: 'string' }, limit: { maximum: 50 } })
    const lint = tools.find(({ name }) => name === 'lintTemplate')!
    expect(JSON.stringify(lint.inputSchema)).not.toContain('$ref')
  })

  it('reads the shop of its key, by query and by id', async () => {
    const { assistant, shop } = await makeAssistant()
    const { body } = await shop.post('/api/external/v1/products', { name: 'Trà sen', price: 45_000 })
    const listed = await call(assistant, 'listProducts', { search: 'tra sen', limit: 5 })
    expect([listed.isError, JSON.parse(listed.text).data.products[0].name]).toEqual([false, 'Trà sen'])
    const read = await call(assistant, 'getProduct', { id: body.data._id })
    expect(JSON.parse(read.text).data.price).toBe(45_000)
    const wallet = await call(assistant, 'getWallet')
    expect(JSON.parse(wallet.text)).toEqual({ balance: 0, held: 0 })
  })

  it('says what is wrong: a refused value, an argument that is missing or unknown, an unknown tool', async () => {
    const { assistant } = await makeAssistant()
    const refused = await call(assistant, 'listProducts', { limit: 51 })
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining('must be less than or equal to 50'),
    ])
    expect(await call(assistant, 'getProduct')).toEqual({
      isError: true,
      text: 'getProduct needs the argument "id"',
    })
    for (const id of ['', '.', '..']) {
      expect(await call(assistant, 'getProduct', { id })).toEqual({
        isError: true,
        text: `"${id}" cannot be the argument "id" of getProduct`,
      })
    }
    expect((await call(assistant, 'listProducts', { serch: 'tra' })).text).toContain('no argument "serch"')
    await expect(call(assistant, 'dropTables')).rejects.toThrow('There is no tool dropTables')
  })

  it('changes nothing without --allow-writes, and says what allows it', async () => {
    const { assistant, shop } = await makeAssistant()
    const answer = await call(assistant, 'createProduct', { body: { name: 'Trà sen', price: 45_000 } })
    expect([answer.isError, answer.text]).toEqual([true, expect.stringContaining('--allow-writes')])
    expect((await shop.get('/api/external/v1/products')).body.data.meta.total).toBe(0)
  })

  it('--allow-writes: creates once under a repeated key, and marks what overwrites', async () => {
    const { assistant, shop } = await makeAssistant(['--allow-writes'])
    const { tools } = await assistant.listTools()
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
    expect(hints.createProduct).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints.retireProduct).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(hints.uploadImage).toBeUndefined()
    const asked = { body: { name: 'Trà sen', price: 45_000 }, idempotencyKey: 'tea 1' }
    const first = await call(assistant, 'createProduct', asked)
    expect(await call(assistant, 'createProduct', asked)).toEqual(first)
    expect((await shop.get('/api/external/v1/products')).body.data.meta.total).toBe(1)
  })

  it('takes the key from a file; without a key or a service it is one line on stderr', async () => {
    const file = join(folder.path, 'key')
    writeFileSync(file, 'sb_live_some\n')
    const env = { DATA_DIR: join(folder.path, 'data') }
    const nowhere = await run(['--url', 'http://127.0.0.1:9', 'mcp', '--key-file', file], env)
    expect([nowhere.code, nowhere.out]).toEqual([1, ''])
    expect(nowhere.err).toMatch(/^shopbell: No Shopbell is running at http:\/\/127\.0\.0\.1:9\. [^\n]+\n$/)
    const keyless = await run(['--url', url, 'mcp'], env)
    expect([keyless.code, keyless.err]).toEqual([
      1,
      'shopbell: No API key. Set SHOPBELL_API_KEY, or name a file that holds the key with --key-file.\n',
    ])
  })
})
