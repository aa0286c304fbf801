import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { SealingKeys } from '../../lib/secrets/secret-box.ts'
import { CliError } from '../cli/cli.ts'
import { findSealingKeys, SECRET_FILES } from '../config/own-secrets.ts'

/** The other files that a data folder holds, besides the database and the images. */
const KEEPSAKES = [
  SECRET_FILES.operatorToken,
  SECRET_FILES.simulatorSecret,
  'simulator.json',
  'demo-api-key',
  'demo-owner-password',
]
const KEY = SECRET_FILES.secretsKey

/** The sealing keys in an unpacked backup. */
export function packedSealingKeys(folder: string): SealingKeys | undefined {
  const found = findSealingKeys({ secretsKeys: undefined, dataDir: folder })
  return found === 'unusable' ? undefined : found
}

/** Copies the small files of a data folder to a folder that will be packed. */
export function copyKeepsakes(dataDir: string, to: string): void {
  mkdirSync(to)
  for (const name of KEEPSAKES) {
    if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(to, name))
  }
}

/** The name of a file that is still being written. */
const UNFINISHED = /\.[0-9a-f]{12}$/

/** Counts the complete files in a folder and its subfolders. */
export function countFiles(folder: string): number {
  if (!existsSync(folder)) return 0
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => !UNFINISHED.test(name) && lstatSync(join(folder, name)).isFile()).length
}

/**
 * Checks that a backup can be restored into this folder without replacing anything.
 * @throws CliError when it cannot.
 */
export function assertFree(dataDir: string): void {
  const has = (name: string) => existsSync(join(dataDir, name))
  const isFilled = (name: string) => has(name) && readdirSync(join(dataDir, name)).length > 0
  const taken = [...['pg', 'images'].filter(isFilled), ...[KEY, ...KEEPSAKES].filter(has)]
  if (taken.length === 0) return
  throw new CliError(
    `${dataDir} is not empty (${taken.join(', ')}): set DATA_DIR to a new folder; nothing was changed`,
  )
}

/** Moves the unpacked files to the data folder, the database last, because a start looks for it. */
export function putInPlace(unpacked: string, dataDir: string): void {
  const secrets = join(unpacked, 'secrets')
  for (const name of readdirSync(secrets)) renameSync(join(secrets, name), join(dataDir, name))
  for (const name of ['images', 'pg']) {
    if (existsSync(join(unpacked, name))) renameSync(join(unpacked, name), join(dataDir, name))
  }
}
