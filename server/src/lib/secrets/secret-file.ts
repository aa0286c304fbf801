import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

/**
 * A secret of this installation: the content of the file, which the first call creates with mode 600 from the value of
 * `fresh`.
 */
export function secretFile(dataDir: string, name: string, fresh: () => string): string {
  const path = join(dataDir, name)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  makeFolder(dataDir)
  const value = fresh()
  try {
    writeFileSync(path, `${value}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}
