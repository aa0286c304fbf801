import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Facts } from '../../db/facts.ts'
import { CliError } from '../cli/cli.ts'

const run = promisify(execFile)

/** The first file in a backup, which describes its content. */
export type Manifest = {
  /** The format of this manifest. A later Shopbell writes another number. */
  format: 1
  version: string
  schema: string
  kind: 'embedded' | 'postgres'
  madeAt: string
  /** The fingerprint of the key that sealed the database's secrets. */
  sealingKey: string
  hasSealingKey: boolean
  images: number
  facts: Facts
}

/**
 * Runs a program of the system.
 * @throws CliError with the first line of its error output, or with what to install.
 */
export async function runTool(
  name: string,
  args: string[],
  { env = {}, install, accepts }: { env?: NodeJS.ProcessEnv; install: string; accepts?: number },
): Promise<string> {
  try {
    const { stdout } = await run(name, args, {
      env: { ...process.env, LC_ALL: 'C', ...env },
      maxBuffer: 64 * 1024 ** 2,
    })
    return stdout
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = error as {
      code?: string | number
      stdout?: string
      stderr?: string
    }
    if (code === accepts) return stdout
    if (code === 'ENOENT') throw new CliError(`${name} is not installed: install ${install}`)
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => line !== '')
    const says = (what: RegExp) => lines.find((line) => what.test(line))
    throw new CliError(
      says(/no space left/i) ?? says(/error|fatal/i) ?? lines[0] ?? `${name} failed with ${code}`,
    )
  }
}

/**
 * Packs files and folders, each given as its folder and name, in this order. Images that are uploaded meanwhile may or
 * may not be included.
 */
export async function pack(file: string, parts: [folder: string, name: string][]): Promise<void> {
  await runTool('tar', ['-czf', file, ...parts.flatMap(([folder, name]) => ['-C', folder, name])], {
    install: 'tar and gzip',
    // tar exits with 1 when a file or folder changed while it was read, because an image was uploaded. The archive is
    // unpacked and compared afterwards.
    accepts: 1,
  })
}

/**
 * Unpacks an archive. Only the owner can read the files, whatever their mode was before.
 * @throws CliError when the file is not a complete archive.
 */
export async function unpack(file: string, folder: string): Promise<void> {
  await tarOf(file, ['-xzf', file, '-C', folder, '--no-same-owner'])
  const { makePrivate } = await import('../../db/embedded/private-files.ts')
  makePrivate(folder)
}

/**
 * Reads the manifest of a backup.
 * @throws CliError when the file is not a backup, or was made by a later Shopbell.
 */
export async function readManifest(file: string): Promise<Manifest> {
  if (!existsSync(file))
    throw new CliError(`${file} does not exist: give the file that "shopbell backup" wrote`)
  const text = await tarOf(file, ['-xzOf', file, 'manifest.json'])
  let manifest: Manifest
  try {
    manifest = JSON.parse(text)
  } catch {
    throw notWhole(file)
  }
  if (manifest.format !== 1)
    throw new CliError(
      `${file} was made by a later Shopbell (${manifest.version}): restore it with that version or a later one`,
    )
  return manifest
}

async function tarOf(file: string, args: string[]): Promise<string> {
  try {
    return await runTool('tar', args, { install: 'tar and gzip' })
  } catch (error) {
    const { message } = error as Error
    if (message.includes('not installed')) throw error
    if (message.includes('No space left'))
      throw new CliError('The disk is full: free some space, or use another folder; nothing was changed')
    throw notWhole(file)
  }
}

function notWhole(file: string): CliError {
  return new CliError(`${file} is not a complete Shopbell backup: copy it again, or use another one`)
}
