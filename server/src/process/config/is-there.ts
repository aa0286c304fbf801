import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from './env-values.ts'

/** This user may not look into a folder, so what is in it cannot be told from what is not there. */
export class FolderUnreadable extends ConfigError {
  readonly says: string
  readonly advice: string
  constructor(folder: string) {
    const says = `${folder} cannot be read by this user`
    const advice = `run the command as ${ownerOf(folder)}, who owns it`
    super(`${says}: ${advice}`)
    this.says = says
    this.advice = advice
  }
}

/** Whether there is a file or folder. @throws FolderUnreadable if this user may not know. */
export function isThere(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') throw new FolderUnreadable(closedAbove(path))
    return false
  }
}

/** The folder that keeps this user from looking at `path`: the first one above it that can be seen from outside. */
function closedAbove(path: string): string {
  const above = dirname(path)
  try {
    statSync(above)
    return above
  } catch {
    return closedAbove(above)
  }
}

/** The name of a folder's owner, or the number that the system has for them. */
function ownerOf(folder: string): string {
  const { uid } = statSync(folder)
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n')
    const own = users.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))
    return own?.[0] ?? `user ${uid}`
  } catch {
    return `user ${uid}`
  }
}
