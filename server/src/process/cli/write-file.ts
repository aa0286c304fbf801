import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { CliError } from './cli.ts'

/**
 * The name of a file while it is written. So a killed command or a full disk leaves nothing under the final name, and
 * the next attempt replaces what is left.
 */
export const unfinishedName = (file: string) => `${file}.unfinished`

/** @throws CliError if the name is taken. */
export function assertNewFile(file: string): void {
  if (existsSync(file)) throw new CliError(`${file} already exists: choose another name`)
}

/** Writes a file completely or not at all, and replaces an existing one. `mode` applies to a new file. */
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
