import { join } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../../config.ts'
import type { Database } from '../../../db/client.ts'
import { DataDirBusy, DataDirUnwritable, lockDataDir } from '../../../db/embedded/lock.ts'
import { type Check, checkDatabase, fine, wrong } from '../../../modules/operations/checks.ts'
import { readConfig } from '../../config/read-config.ts'
import {
  checkDataDir,
  checkDisk,
  checkMail,
  checkNoDatabase,
  checkPlatform,
  checkSecrets,
  checkSettings,
} from '../checks-of-machine.ts'
import { checkServers } from '../checks-of-servers.ts'
import type { Cli } from '../cli.ts'

const WITHIN_MS = 5_000

/** `shopbell doctor`: reports what is in order and what is not, whether or not the service is running. */
export function doctorCommand(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description(
      'check the database, clocks, queues, secrets, disk, the other servers that are set, and the platform; exits with 1 if anything is wrong',
    )
    .action(async () => {
      const config = readConfig()
      const { check: service, isRunning } = await checkService(cli.url())
      const { check: secrets, sealingKeys } = checkSecrets(config)
      const checks = [
        service,
        ...checkSettings(),
        ...checkDataDir(config),
        checkDisk(config),
        ...secrets,
        ...(await databaseChecks(config, cli, { isRunning, sealingKeys })),
        ...(await checkServers(config)),
        ...(await checkMail(config)),
        ...(await checkPlatform(config, isRunning, cli.simulatorUrl())),
      ]
      const lines = checks.map(({ name, isOk, says, advice }) => {
        const line = `${isOk ? 'ok   ' : 'WRONG'}  ${name.padEnd(16)}  ${says}`
        return advice === null ? line : `${line}: ${advice}`
      })
      cli.print({ data: checks }, lines.join('\n'))
      if (checks.some((check) => !check.isOk)) process.exitCode = 1
    })
}

async function checkService(url: string): Promise<{ check: Check; isRunning: boolean }> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(WITHIN_MS) })
    const { status } = (await answer.json()) as { status: string }
    if (answer.ok) return { check: fine('service', `ready at ${url}`), isRunning: true }
    return {
      check: wrong('service', `not ready at ${url}: ${status}`, 'see the lines below'),
      isRunning: true,
    }
  } catch {
    return { check: fine('service', `none runs at ${url}`), isRunning: false }
  }
}

/**
 * Checks PostgreSQL directly. The embedded database is checked through the service that has it open, or opened here if
 * no service runs. A database that no start has created yet is not created here either.
 */
async function databaseChecks(
  config: Config,
  cli: Cli,
  { isRunning, sealingKeys }: { isRunning: boolean; sealingKeys: Buffer[] },
): Promise<Check[]> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('../../../db/client.ts')
    return checked(openPostgres(databaseUrl, { max: 1 }), sealingKeys)
  }
  const none = checkNoDatabase(dataDir)
  if (none !== undefined) return [none]
  let lock: { release(): void }
  try {
    lock = lockDataDir(dataDir)
  } catch (error) {
    if (error instanceof DataDirUnwritable)
      return [wrong('database', 'not checked, because the data folder cannot be written', error.message)]
    if (!(error instanceof DataDirBusy)) throw error
    if (isRunning) return (await cli.call('GET', '/checks')).data as Check[]
    return [
      wrong(
        'database',
        `a process uses ${dataDir}, but does not respond at ${cli.url()}`,
        'wait until it has started, or give its address with --url',
      ),
    ]
  }
  try {
    const { openEmbedded } = await import('../../../db/embedded/embedded.ts')
    return await checked(await openEmbedded(join(dataDir, 'pg')), sealingKeys)
  } catch (error) {
    return [wrong('database', (error as Error).message, 'restore a backup into a new folder')]
  } finally {
    lock.release()
  }
}

async function checked(database: Database, sealingKeys: Buffer[]): Promise<Check[]> {
  try {
    return await checkDatabase(database.db, sealingKeys)
  } finally {
    await database.close()
  }
}
