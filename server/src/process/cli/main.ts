import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Config } from '../../config.ts'
import { DataDirBusy } from '../../db/lock.ts'
import { DatabaseUnreachable } from '../../db/unreachable.ts'
import { DatabaseUnusable } from '../../db/unusable.ts'
import { INSTALLED } from '../../installed-files.ts'
import { ConfigError, readConfig } from '../read-config.ts'
import { type Answer, type Cli, CliError, manageCommands } from './manage.ts'
import { stockCommands } from './stock.ts'

enableCompileCache(INSTALLED.compileCache)

const program = new Command('shopbell')
  .description('Shopbell: one external API for every shop')
  .option('--json', 'print JSON')
  .option('--url <address>', 'address of the running service (default: from the settings)')
  .configureOutput({ outputError: (text) => printError(text.replace(/^error: /, '')) })

program
  .command('serve')
  .description('start the service')
  .action(async () => {
    const { serve } = await import('../serve.ts')
    await serve(readConfig())
  })

program
  .command('migrate')
  .description('migrate the database to this version without starting the service')
  .action(async () => {
    const config = readConfig()
    const { createLog, openDatabase } = await import('../build-deps.ts')
    const { migrationNames } = await import('../../db/migrate.ts')
    const database = await openDatabase(config, createLog('warn'))
    await database.close()
    print({ data: { migrations: migrationNames() } }, `The database is at ${migrationNames().at(-1)}`)
  })

program
  .command('openapi')
  .description('print the API document')
  .option('--out <file>', 'write it to a file instead')
  .action(async (options: { out?: string }) => {
    const { apiDocumentText } = await import('../document/openapi-document.ts')
    const text = await apiDocumentText()
    if (options.out === undefined) process.stdout.write(text)
    else writeFileSync(options.out, text)
  })

program
  .command('schema')
  .description('print the database schema that the migrations create')
  .option('--out <file>', 'write it to a file instead')
  .action(async (options: { out?: string }) => {
    const { migratedSchema } = await import('../migrated-schema.ts')
    const text = await migratedSchema()
    if (options.out === undefined) process.stdout.write(text)
    else writeFileSync(options.out, text)
  })

const cli: Cli = {
  call: (method, path, body) => call(method, path, body),
  print: (data, text) => print(data, text),
}
manageCommands(program, cli)
stockCommands(program, cli)

const print: Cli['print'] = (data, text) => {
  process.stdout.write(`${program.opts().json === true ? JSON.stringify(data) : text}\n`)
}

/** One line on stderr, or JSON; `detail` takes its place where a person reads it. */
function printError(message: string, detail?: string): void {
  const line = message.trim().replaceAll('\n', ' ')
  process.stderr.write(
    program.opts().json === true ? `${JSON.stringify({ error: line })}\n` : `shopbell: ${detail ?? line}\n`,
  )
}

/** One call of the running service's management API. */
async function call(method: string, path: string, body?: unknown): Promise<Answer> {
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
      `No Shopbell is running at ${url}. Start it with "shopbell serve", or give its address with --url.`,
    )
  }
  const parsed = (await answer.json().catch(() => {
    throw new CliError(`The server at ${url} is not Shopbell.`)
  })) as Answer & {
    message?: string
    validation?: Record<string, { message: string }>
  }
  if (!answer.ok)
    throw new CliError(
      Object.values(parsed.validation ?? {})[0]?.message ?? parsed.message ?? `HTTP ${answer.status}`,
    )
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
      `No operator token found. Set OPERATOR_TOKEN, or set DATA_DIR to the running service's folder (now ${config.dataDir}).`,
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
    error instanceof DatabaseUnreachable ||
    error instanceof DatabaseUnusable
  // A port in use, a folder that may not be written: what the system says is enough.
  const isSystems = (error as NodeJS.ErrnoException).syscall !== undefined
  if (isPlain || isSystems) printError((error as Error).message)
  else printError((error as Error).message, (error as Error).stack ?? String(error))
  process.exit(1)
}
