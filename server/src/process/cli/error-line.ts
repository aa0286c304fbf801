import { DiskFull } from '../../db/embedded/disk-full.ts'
import { DataDirBusy, DataDirUnwritable } from '../../db/embedded/lock.ts'
import { PoolerSettings } from '../../db/pooler.ts'
import { NoRoomForSnapshot } from '../../db/snapshot.ts'
import { DatabaseUnreachable } from '../../db/unreachable.ts'
import { DatabaseUnusable } from '../../db/unusable.ts'
import { ConfigError } from '../config/env-values.ts'
import { CliError } from './cli.ts'

const PLAIN = [
  CliError,
  ConfigError,
  DataDirBusy,
  DataDirUnwritable,
  DatabaseUnreachable,
  DatabaseUnusable,
  DiskFull,
  NoRoomForSnapshot,
  PoolerSettings,
]

/** What to do about a system error, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space on the disk',
  EDQUOT: 'free some space on the disk',
  ENOENT: 'check the path',
  ENOTDIR: 'check the path',
  EISDIR: 'name a file',
  EEXIST: 'choose another name',
  EACCES: 'run as the user of the service, or choose another place',
  EPERM: 'run as the user of the service, or choose another place',
  EROFS: 'choose a place that can be written',
  EADDRINUSE: 'stop what uses the port, or set PORT to another one',
  ECONNREFUSED: 'start the service that should respond there, or correct the address',
  ENOTFOUND: 'correct the address',
}

/**
 * An error as one line for people, which says what to do; undefined for an unexpected error, whose stack is then
 * printed. The messages of the system and of PostgreSQL need no addition.
 */
export function errorLine(error: unknown): string | undefined {
  if (PLAIN.some((kind) => error instanceof kind)) return (error as Error).message
  const { syscall, code, message, severity } = error as NodeJS.ErrnoException & { severity?: unknown }
  if (syscall !== undefined) {
    const advice = ADVICE[code ?? '']
    return advice === undefined ? message : `${message}: ${advice}`
  }
  if (code === '53100')
    return `The disk of the database is full (${message}): free some space there, and run the command again`
  if (typeof severity === 'string')
    return `PostgreSQL refused it (${message}): correct that, and run the command again`
  if (/^Connection terminated/.test(message))
    return 'The connection to PostgreSQL ended: run the command again once it is back'
  if (code === 'ERR_SQLITE_ERROR') return `${message}: free some space in the folder for temporary files`
  return undefined
}
