import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { SealingKeys } from '../../lib/secrets/secret-box.ts'
import { CliError } from '../cli/manage.ts'
import { findSealingKeys, SECRET_FILES } from '../config/own-secrets.ts'

/** What a data folder holds beside the database and the images. */
const KEEPSAKES = [
  SECRET_FILES.operatorToken,
  SECRET_FILES.simulatorSecret,
  'simulator.json',
  'demo-api-key',
  'demo-owner-password',
]
const KEY = SECRET_FILES.secretsKey

/** The keys of an unpacked backup. */
export function packedSealingKeys(folder: string): SealingKeys | undefined {
  const found = findSealingKeys({ secretsKeys: undefined, dataDir: folder })
  return found === 'unusable' ? undefined : found
}

/** Copies the small files of a data folder to a folder that is packed. */
export function copyKeepsakes(dataDir: string, to: string): void {
  mkdirSync(to)
  for (const name of KEEPSAKES) {
    if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(to, name))
  }
}

/** A file under the name that it has while it is written. */
const UNFINISHED = /\.[0-9a-f]{12}$/

/** The files below a folder that are whole. */
export function countFiles(folder: string): number {
  if (!existsSync(folder)) return 0
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => !UNFINISHED.test(name) && lstatSync(join(folder, name)).isFile()).length
}

/** @throws CliError when a backup cannot be put into this folder without replacing something. */
export function assertFree(dataDir: string): void {
  const has = (name: string) => existsSync(join(dataDir, name)) && readdirSync(join(dataDir, name)).length > 0
  const taken = ['pg', 'images'].filter(has)
  if (existsSync(join(dataDir, KEY))) taken.push(KEY)
  if (taken.length === 0) return
  throw new CliError(
    `${dataDir} is not empty (${taken.join(', ')}): set DATA_DIR to a new folder; nothing was changed`,
  )
}

/** Puts what was unpacked into the data folder; the database last, since a start looks for it. */
export function putInPlace(unpacked: string, dataDir: string): void {
  const secrets = join(unpacked, 'secrets')
  for (const name of readdirSync(secrets)) renameSync(join(secrets, name), join(dataDir, name))
  for (const name of ['images', 'pg']) {
    if (existsSync(join(unpacked, name))) renameSync(join(unpacked, name), join(dataDir, name))
  }
}
