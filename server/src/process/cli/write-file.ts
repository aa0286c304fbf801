import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CliError } from './manage.ts'

/**
 * The name that a file has while it is written: a command that is killed, or a full disk, leaves nothing under the name asked for,
 * and the next one replaces what is left.
 */
export const unfinishedName = (file: string) => `${file}.unfinished`

/** @throws CliError for a name that is taken. */
export function assertNewFile(file: string): void {
  if (existsSync(file)) throw new CliError(`${file} already exists: choose another name`)
}

/** Writes a file whole or not at all, in place of one of that name. `mode` is of a new one. */
export function writeWhole(file: string, text: string, mode?: number): void {
  const unfinished = unfinishedName(file)
  try {
    rmSync(unfinished, { force: true })
    writeFileSync(unfinished, text, { mode })
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
