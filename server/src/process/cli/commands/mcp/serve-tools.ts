import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { CliError } from '../../cli.ts'
import { type ApiDocument, type OperationTool, toolsOf } from './tools.ts'

export type Given = { url: string; apiKey: string; allowWrites: boolean }

/** An assistant reads the whole response, so a longer one is cut, and says so. */
const LONGEST_ANSWER = 100_000
const NO_SEGMENT = /^\.{0,2}$/

/**
 * Offers the operations of the service at `url` as tools on standard input and output, until the input ends. The tools
 * are made from the service's own API document, so they fit its version. Without `allowWrites` there are only tools
 * that read.
 * @throws CliError when no service answers there.
 */
export async function serveTools({ url, apiKey, allowWrites }: Given): Promise<void> {
  const document = await readDocument(url)
  const all = new Map(toolsOf(document).map((one) => [one.tool.name, one]))
  const server = new Server(
    { name: 'shopbell', version: document.info.version },
    {
      capabilities: { tools: {} },
      instructions: `Tools of one shop's catalogue, orders, messages and wallet. Amounts are whole đồng, times are UTC. ${
        allowWrites
          ? 'Sending a message costs money and reaches a customer: do it only when asked to.'
          : 'They only read.'
      } Rules and error codes: ${url}/llms.txt`,
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...all.values()].filter(({ isRead }) => isRead || allowWrites).map(({ tool }) => tool),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = all.get(name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`)
    if (!tool.isRead && !allowWrites)
      return failed(`${name} changes something. Start "shopbell mcp" with --allow-writes to allow that.`)
    return callOperation(url, apiKey, tool, given)
  })
  await server.connect(new StdioServerTransport())
}

type ServedDocument = ApiDocument & { info: { version: string } }

async function readDocument(url: string): Promise<ServedDocument> {
  const answer = await fetch(`${url}/openapi.json`).catch(() => undefined)
  const body: unknown = answer?.ok ? await answer.json().catch(() => undefined) : undefined
  const document = body as ServedDocument | undefined
  if (document?.paths === undefined)
    throw new CliError(
      `No Shopbell is running at ${url}. Start it with "shopbell serve", or give its address with --url.`,
    )
  return document
}

async function callOperation(
  url: string,
  apiKey: string,
  { tool, method, path, query }: OperationTool,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  const { properties = {}, required = [] } = tool.inputSchema
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined)
    return failed(`${tool.name} has no argument "${unknown}": it takes ${Object.keys(properties).join(', ')}`)
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) return failed(`${tool.name} needs the argument "${missing}"`)

  const { body, idempotencyKey } = given
  // A URL resolves dots, and without an id it is another operation's.
  const noId = Object.keys(properties).find(
    (name) => path.includes(`{${name}}`) && NO_SEGMENT.test(String(given[name])),
  )
  if (noId !== undefined) return failed(`"${given[noId]}" cannot be the argument "${noId}" of ${tool.name}`)
  const address = new URL(
    url + path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(String(given[name]))),
  )
  for (const name of query) {
    if (given[name] !== undefined) address.searchParams.set(name, String(given[name]))
  }
  const answer = await fetch(address, {
    method,
    headers: {
      'x-api-key': `service-partner ${apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': String(idempotencyKey) }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  if (answer === undefined) return failed(`No Shopbell is running at ${url} any more`)
  const text = await answer.text()
  if (!answer.ok) return failed(`${answer.status} ${text}`)
  const isLong = text.length > LONGEST_ANSWER
  const shown = isLong
    ? `${text.slice(0, LONGEST_ANSWER)}\n… cut after ${LONGEST_ANSWER} characters: ask for a smaller page`
    : text
  return { content: [{ type: 'text', text: shown }] }
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}
