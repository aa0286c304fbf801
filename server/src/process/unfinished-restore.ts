import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config/env-values.ts'

/** Where a restore unpacks its backup, inside the data folder. */
export const unfinishedRestore = (dataDir: string) => join(dataDir, 'restore-unfinished')

/**
 * A service must not start on an incomplete restore, which could have, for example, the backup's key but another
 * database.
 * @throws ConfigError with what to do.
 */
export function assertNoUnfinishedRestore(dataDir: string): void {
  const folder = unfinishedRestore(dataDir)
  if (existsSync(folder))
    throw new ConfigError(
      `A restore into ${dataDir} did not finish: run "shopbell restore" again with the same backup, or remove ${folder} to start without it`,
    )
}
