import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { type Config, ConfigError, readConfig } from './config.ts'
import { DataDirBusy } from './db/lock.ts'
import { DatabaseUnreachable } from './db/unreachable.ts'

/** A command that cannot be done; its message is the one line that is printed. */
class CliError extends Error {}

type Output = (data: unknown, text: string) => void

const program = new Command('shopbell')
  .description('Shopbell: one external API for every shop')
  .option('--json', 'print JSON')
  .option('--url <address>', 'address of the running service (default: what the settings say)')
  .configureOutput({ outputError: (text) => printError(text.replace(/^error: /, '')) })

program
  .command('serve')
  .description('start the service')
  .action(async () => {
    const { serve } = await import('./serve.ts')
    await serve(readConfig())
  })

program
  .command('migrate')
  .description('bring the database to this version without starting the service')
  .action(async () => {
    const config = readConfig()
    const { createLog, openDatabase } = await import('./main.ts')
    const { migrationNames } = await import('./db/migrate.ts')
    const database = await openDatabase(config, createLog('warn'))
    await database.close()
    print({ data: { migrations: migrationNames() } }, `The database is at ${migrationNames().at(-1)}`)
  })

program
  .command('openapi')
  .description('print the API document')
  .option('--out <file>', 'write it to a file instead')
  .action(async (options: { out?: string }) => {
    const { apiDocumentText } = await import('./openapi-document.ts')
    const text = await apiDocumentText()
    if (options.out === undefined) process.stdout.write(text)
    else writeFileSync(options.out, text)
  })

const shop = program.command('shop').description('shops')

shop
  .command('create <name>')
  .description('make a shop; its first API key is shown here and never again')
  .option('--language <language>', 'vi or en', 'vi')
  .option('--oversell <rule>', 'allow or deny', 'allow')
  .action(async (name: string, options: { language: string; oversell: string }) => {
    const answer = await call('POST', '/shops', { name, ...options })
    const { shop, apiKey } = answer.data as { shop: { _id: string }; apiKey: string }
    print(answer, `shop     ${shop._id}\nAPI key  ${apiKey}`)
  })

shop
  .command('list')
  .description('list the shops')
  .action(async () => {
    const answer = await call('GET', '/shops')
    const shops = answer.data as { _id: string; name: string; createdAt: string }[]
    print(answer, shops.map((one) => `${one._id}  ${one.createdAt}  ${one.name}`).join('\n') || 'no shops')
  })

const key = program.command('key').description('API keys')

key
  .command('issue <shopId> <name>')
  .description('issue a further API key; it is shown here and never again')
  .option('--expires-at <time>', 'ISO 8601')
  .action(async (shopId: string, name: string, options: { expiresAt?: string }) => {
    const answer = await call('POST', `/shops/${shopId}/keys`, { name, ...options })
    const { key, apiKey } = answer.data as { key: { _id: string }; apiKey: string }
    print(answer, `key      ${key._id}\nAPI key  ${apiKey}`)
  })

key
  .command('revoke <shopId> <keyId>')
  .description('revoke an API key at once')
  .action(async (shopId: string, keyId: string) => {
    print(await call('DELETE', `/shops/${shopId}/keys/${keyId}`), `key ${keyId} is revoked`)
  })

program
  .command('oa')
  .description('official accounts')
  .command('link <shopId> <oaId> <name>')
  .description('link an official account; secrets come from OA_SECRET_KEY, OA_ACCESS_TOKEN, OA_REFRESH_TOKEN')
  .option('--app-id <id>', 'the app that the tokens belong to')
  .action(async (shopId: string, oaId: string, name: string, options: { appId?: string }) => {
    const answer = await call('POST', `/shops/${shopId}/official-accounts`, {
      oaId,
      name,
      ...options,
      ...oaSecrets(),
    })
    print(answer, `official account ${oaId} is linked`)
  })

program
  .command('wallet')
  .description('wallets')
  .command('top-up <shopId> <amount>')
  .description('add đồng to a wallet')
  .option('--note <text>', 'what the ledger says', 'Top-up')
  .action(async (shopId: string, amount: string, options: { note: string }) => {
    const answer = await call('POST', `/shops/${shopId}/wallet/entries`, {
      amount: Number(amount),
      ...options,
    })
    const { balance, held } = answer.data as { balance: number; held: number }
    print(answer, `balance ${balance} đồng, held ${held} đồng`)
  })

const print: Output = (data, text) => {
  process.stdout.write(`${program.opts().json === true ? JSON.stringify(data) : text}\n`)
}

/** One line on stderr, or JSON; `detail` takes its place where a person reads it. */
function printError(message: string, detail?: string): void {
  const line = message.trim().replaceAll('\n', ' ')
  process.stderr.write(
    program.opts().json === true ? `${JSON.stringify({ error: line })}\n` : `shopbell: ${detail ?? line}\n`,
  )
}

/** Secrets come from the environment: arguments are seen by everyone on the machine. */
function oaSecrets(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, variable] of [
    ['secretKey', 'OA_SECRET_KEY'],
    ['accessToken', 'OA_ACCESS_TOKEN'],
    ['refreshToken', 'OA_REFRESH_TOKEN'],
  ] as const) {
    const value = process.env[variable]
    if (value !== undefined && value !== '') found[name] = value
  }
  return found
}

/** One call of the running service's management API. */
async function call(method: string, path: string, body?: unknown): Promise<{ data: unknown }> {
  const config = readConfig()
  const url = serviceUrl(config)
  let answer: Response
  try {
    answer = await fetch(`${url}/api/manage/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokenOf(config)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new CliError(
      `No Shopbell is running at ${url}. Start it with "shopbell serve", or name it with --url.`,
    )
  }
  const parsed = (await answer.json().catch(() => {
    throw new CliError(`What answers at ${url} is not Shopbell.`)
  })) as {
    data: unknown
    message?: string
    validation?: { body?: { message: string } }
  }
  if (!answer.ok)
    throw new CliError(parsed.validation?.body?.message ?? parsed.message ?? `HTTP ${answer.status}`)
  return parsed
}

/** Where the service runs: `--url`, else what the running one wrote into the data folder, else the settings. */
function serviceUrl(config: Config): string {
  const given = program.opts().url as string | undefined
  if (given !== undefined) return given.replace(/\/$/, '')
  const file = join(config.dataDir, 'service.json')
  if (process.env.PORT === undefined && existsSync(file)) {
    return (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url
  }
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
}

function tokenOf(config: Config): string {
  if (config.operatorToken !== undefined) return config.operatorToken
  try {
    return readFileSync(join(config.dataDir, 'operator-token'), 'utf8').trim()
  } catch {
    throw new CliError(
      `There is no operator token: set OPERATOR_TOKEN, or DATA_DIR to the running service's folder (now ${config.dataDir}).`,
    )
  }
}

try {
  await program.parseAsync()
} catch (error) {
  const isPlain =
    error instanceof CliError ||
    error instanceof ConfigError ||
    error instanceof DataDirBusy ||
    error instanceof DatabaseUnreachable
  // A port in use, a folder that may not be written: what the system says is enough.
  const isSystems = (error as NodeJS.ErrnoException).syscall !== undefined
  if (isPlain || isSystems) printError((error as Error).message)
  else printError((error as Error).message, (error as Error).stack ?? String(error))
  process.exit(1)
}
