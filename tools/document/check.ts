import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * `npm run check:document`: checks that two linters of API documents find nothing in docs/openapi.json, and that the
 * output of three public generators compiles, together with a program that lists products with only `search`. The tools
 * are installed into a temporary folder in these versions.
 */
const TOOLS = {
  '@hey-api/openapi-ts': '0.95.0',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '7.13.2',
  typescript: '5.9.3',
}

const PROGRAMS = {
  'hey-api.ts': `import { listProducts } from './hey-api/sdk.gen'
const { data, error } = await listProducts({ query: { search: 'tra sen' } })
const message: string | undefined = error && 'message' in error ? error.message : undefined
export const names: string[] | undefined = data?.data.products.map((product) => product.name)
export { message }
`,
  'openapi-typescript.ts': `import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript/schema'
const shop = createClient<paths>({ baseUrl: 'http://localhost:3000' })
const { data, error } = await shop.GET('/api/external/v1/products', { params: { query: { search: 'tra sen' } } })
const message: string | undefined = error && 'message' in error ? error.message : undefined
export const names: string[] | undefined = data?.data.products.map((product) => product.name)
export const sent = await shop.POST('/api/external/notify-message/send', {
  body: { templateId: 'x', receiverPhone: '0912345678', params: {} },
})
export { message }
`,
  'orval.ts': `import { listProducts } from './orval/products/products'
const answer = await listProducts({ search: 'tra sen' })
export const names: string[] = answer.status === 200 ? answer.data.data.products.map((product) => product.name) : []
`,
}

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['*.ts', 'hey-api', 'orval', 'openapi-typescript'],
}

const docs = new URL('../../docs/', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'shopbell-document-'))
try {
  for (const file of ['openapi.json', 'redocly.yaml', 'spectral.yaml'])
    cpSync(docs + file, join(folder, file))
  write('package.json', JSON.stringify({ private: true, type: 'module', dependencies: TOOLS }))
  write('tsconfig.json', JSON.stringify(TSCONFIG))
  for (const [name, program] of Object.entries(PROGRAMS)) write(name, program)
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts')

  await tool('redocly', 'lint', 'openapi.json', '--config', 'redocly.yaml', '--max-problems', '20').then(
    (said) => {
      if (!said.includes('is valid') || /You have \d+ (warning|error)/.test(said)) throw new Error(said)
    },
  )
  await tool('spectral', 'lint', 'openapi.json', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint')
  await tool('openapi-typescript', 'openapi.json', '--output', 'openapi-typescript/schema.d.ts')
  await tool(
    'openapi-ts',
    '--input',
    'openapi.json',
    '--output',
    'hey-api',
    '--client',
    '@hey-api/client-fetch',
  )
  await tool(
    'orval',
    '--input',
    'openapi.json',
    '--output',
    'orval/shop.ts',
    '--mode',
    'tags-split',
    '--client',
    'fetch',
  )
  await tool('tsc', '--project', 'tsconfig.json')
  process.stdout.write('Redocly and Spectral find nothing; the code of three generators compiles\n')
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

function tool(name: string, ...args: string[]): Promise<string> {
  return run(join(folder, 'node_modules/.bin', name), ...args)
}

/** Runs a command. @returns its output. @throws Error with the output, when it fails. */
async function run(command: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', DO_NOT_TRACK: '1' }
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: folder, env }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${[command.split('/').at(-1), ...args].join(' ')}\n${stdout}${stderr}`)
    },
  )
  return stdout + stderr
}
