import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Creates a folder with those above it, unless it exists. Node's own `recursive` never returns where the system answers
 * "no such file" for a new folder in one that exists, as `/proc` does (Node 24).
 * @returns the folders it created, the innermost first.
 */
export function makeFolder(path: string): string[] {
  if (isFolder(path)) return []
  const above = makeFolder(dirname(path))
  try {
    mkdirSync(path)
    return [path, ...above]
  } catch (error) {
    // Another process may have created it meanwhile.
    if (isFolder(path)) return above
    throw error
  }
}
