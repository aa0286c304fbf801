import { createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Command } from 'commander'
import type { Config } from '../../config.ts'
import { migrationNames, newestSchema } from '../../db/migrations/migration-files.ts'
import { INSTALLED } from '../../installed-files.ts'
import { withVisibleControls } from '../../lib/text/text.ts'
import { isThere } from '../config/is-there.ts'
import { misspeltSettings } from '../config/misspelt.ts'
import { SECRET_FILES } from '../config/own-secrets.ts'
import { readConfig } from '../config/read-config.ts'
import { type Answer, type Cli, CliError } from './cli.ts'
import { accountCommands } from './commands/accounts.ts'
import { appCommands } from './commands/apps.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommands } from './commands/backup.ts'
import { billCommands } from './commands/bill/command.ts'
import { completionCommand } from './commands/completion.ts'
import { deletionCommands } from './commands/deletion.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCommands } from './commands/keys.ts'
import { mcpCommand } from './commands/mcp/command.ts'
import { peopleCommands } from './commands/people.ts'
import { secretsCommands } from './commands/secrets.ts'
import { shopCommands } from './commands/shops.ts'
import { stockCommands } from './commands/stock.ts'
import { walletCommands } from './commands/wallets.ts'
import { errorLine } from './error-line.ts'
import { VERSION } from './version.ts'
import { assertNewFile, unfinishedName, writeWhole } from './write-file.ts'

enableCompileCache(INSTALLED.compileCache)

const program = new Command('shopbell')
  .description('Shopbell: one external API for every shop')
  .version(
    `shopbell ${VERSION}, schema ${newestSchema()}`,
    '-V, --version',
    'print the version and the schema it knows',
  )
  .option('--json', 'print JSON')
  .option('--url <address>', 'address of the running service (default: from the settings)')
  .configureOutput({ outputError: (text) => printError(text.replace(/^error: /, '')) })

program
  .command('serve')
  .description('start the service')
  .option('--processes <number>', 'how many processes share its port (with PostgreSQL and Redis)', '1')
  .action(async (options: { processes: string }) => {
    const config = readConfig()
    for (const { name, setting } of misspeltSettings())
      printError(`${name} is not a setting and changes nothing: did you mean ${setting}?`)
    const count = Number(options.processes)
    if (!/^\d+$/.test(options.processes) || count < 1 || count > 64)
      throw new CliError(`--processes ${options.processes} is not usable: use a whole number from 1 to 64`)
    if (count === 1) {
      const { serve } = await import('../serve.ts')
      return serve(config)
    }
    const { serveProcesses } = await import('../serve-processes.ts')
    await serveProcesses(config, count)
  })

program
  .command('migrate')
  .description('migrate the database to this version without starting the service')
  .action(async () => {
    const config = readConfig()
    const { createLog, openDatabase } = await import('../build-deps.ts')
    const database = await openDatabase(config, createLog('warn'))
    await database.close()
    const names = migrationNames()
    print({ data: { migrations: names } }, `The database is at ${names.at(-1)}`)
  })

program
  .command('openapi')
  .description('print the API document')
  .option('--errors', 'print the page of its error codes instead')
  .option('--collection', 'print its requests as a collection for Postman and Bruno instead')
  .option('--out <file>', 'write it to a file instead')
  .action(async (options: { out?: string; errors?: true; collection?: true }) => {
    const { apiDocumentText } = await import('../document/openapi-document.ts')
    const { errorsPage } = await import('../document/errors-page.ts')
    const { collectionOf } = await import('../document/collection.ts')
    let text = await apiDocumentText()
    if (options.errors) text = errorsPage(JSON.parse(text))
    else if (options.collection) text = `${JSON.stringify(collectionOf(JSON.parse(text)), null, 2)}\n`
    if (options.out === undefined) process.stdout.write(text)
    else writeWhole(options.out, text)
  })

program
  .command('schema')
  .description('print the database schema that the migrations create')
  .option('--out <file>', 'write it to a file instead')
  .action(async (options: { out?: string }) => {
    const { migratedSchema } = await import('../migrated-schema.ts')
    const text = await migratedSchema()
    if (options.out === undefined) process.stdout.write(text)
    else writeWhole(options.out, text)
  })

const cli: Cli = {
  call: (method, path, body) => call(method, path, body),
  download: (path, file) => download(path, file),
  url: () => serviceUrl(readConfig()),
  simulatorUrl: () => announced(readConfig())?.simulatorUrl,
  print: (data, text) => print(data, text),
}
deletionCommands(shopCommands(program, cli), cli)
keyCommands(program, cli)
accountCommands(program, cli)
walletCommands(program, cli)
auditCommand(program, cli)
appCommands(program, cli)
stockCommands(program, cli)
peopleCommands(program, cli)
doctorCommand(program, cli)
billCommands(program, cli)
mcpCommand(program, cli)
backupCommands(program, cli)
secretsCommands(program, cli)
completionCommand(program)

const print: Cli['print'] = (data, text) => {
  process.stdout.write(`${program.opts().json === true ? JSON.stringify(data) : text}\n`)
}

/** Prints one line on stderr, or JSON with `--json`. `detail` replaces the line for people. */
function printError(message: string, detail?: string): void {
  const line = message.trim().replaceAll('\n', ' ')
  process.stderr.write(
    program.opts().json === true ? `${JSON.stringify({ error: line })}\n` : `shopbell: ${detail ?? line}\n`,
  )
}

/** Calls the running service's management API. */
async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  return answerOf(await request(method, path, body))
}

/**
 * Downloads to a temporary name; the file gets its final name when it is complete. A later download replaces the rest
 * of a killed one.
 */
async function download(path: string, file: string): Promise<void> {
  assertNewFile(file)
  const answer = await request('GET', path)
  if (!answer.ok || answer.body === null) return void (await answerOf(answer))
  const unfinished = unfinishedName(file)
  try {
    await pipeline(
      Readable.fromWeb(answer.body as ReadableStream),
      createWriteStream(unfinished, { mode: 0o600 }),
    )
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new CliError('The service broke off the download: nothing was written, try again')
  }
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const config = readConfig()
  const url = serviceUrl(config)
  const token = tokenOf(config)
  try {
    return await fetch(`${url}/api/manage/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new CliError(
      `No Shopbell is running at ${url}. Start it with "shopbell serve", or give its address with --url.`,
    )
  }
}

/** @throws CliError with the service's refusal, or when the response is not from the service. */
async function answerOf(answer: Response): Promise<Answer> {
  const text = await answer.text().catch(() => {
    throw new CliError(
      'The service stopped before it responded: check whether the change was made, and try again',
    )
  })
  const parsed = readAnswer(answer.url, text) as Answer & {
    message?: string
    validation?: Record<string, { message: string }>
  }
  if (!answer.ok)
    throw new CliError(
      Object.values(parsed.validation ?? {})[0]?.message ?? parsed.message ?? `HTTP ${answer.status}`,
    )
  return parsed
}

function readAnswer(url: string, text: string): unknown {
  try {
    // A name is printed for people without what would act on their terminal or begin another line.
    const isForPeople = program.opts().json !== true
    return JSON.parse(text, (_, value) =>
      isForPeople && typeof value === 'string' ? withVisibleControls(value) : value,
    )
  } catch {
    throw new CliError(`The server at ${new URL(url).origin} is not Shopbell: correct --url or PORT.`)
  }
}

/**
 * The service's address: from `--url`, else from the file that the running service wrote into the data folder, else
 * from the settings.
 */
function serviceUrl(config: Config): string {
  const given = program.opts().url as string | undefined
  if (given !== undefined) {
    if (!/^https?:\/\//i.test(given) || !URL.canParse(given))
      throw new CliError(`--url ${given} is not usable: use an address starting with http:// or https://`)
    return given.replace(/\/$/, '')
  }
  const { host, port } = config
  return announced(config)?.url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The addresses that the running service wrote into the data folder; undefined if the settings name its port. */
function announced({ dataDir }: Config): { url: string; simulatorUrl?: string } | undefined {
  const file = join(dataDir, 'service.json')
  if (process.env.PORT !== undefined || !existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8'))
}

function tokenOf(config: Config): string {
  if (config.operatorTokens !== undefined) return config.operatorTokens[0]
  const file = join(config.dataDir, SECRET_FILES.operatorToken)
  isThere(file)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new CliError(
      `No operator token found. Set OPERATOR_TOKEN, or set DATA_DIR to the running service's folder (now ${config.dataDir}).`,
    )
  }
}

try {
  await program.parseAsync()
} catch (error) {
  const line = errorLine(error)
  if (line !== undefined) printError(line)
  else printError((error as Error).message, (error as Error).stack ?? String(error))
  process.exit(1)
}
