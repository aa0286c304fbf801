import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/**
 * Makes `folder` and everything in it accessible to its owner only: folders 0700, files 0600. A folder named in
 * `onceOnly` is processed only while its own mode differs, because checking thousands of files would delay each start.
 * Its own mode is changed last, so an interrupted run is repeated.
 */
export function makePrivate(folder: string, onceOnly: string[] = []): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!onceOnly.includes(entry.name) || modeOf(path) !== FOLDER_MODE) makePrivate(path)
    } else if (entry.isFile() && modeOf(path) !== FILE_MODE) {
      chmodSync(path, FILE_MODE)
    }
  }
  if (modeOf(folder) !== FOLDER_MODE) chmodSync(folder, FOLDER_MODE)
}

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o777
}

type SetAttr = (path: unknown, node: unknown, attr: { mode?: number }, ...rest: unknown[]) => void
type Init = Parameters<NodeFS['init']>

/**
 * The embedded database's files on disk, accessible to their owner only. Emscripten sets the mode that the C library
 * asks for (0666 and 0644 here) with chmod after it has created a file, so the process's umask has no effect.
 */
export class PrivateFiles extends NodeFS {
  override async init(...[pglite, options]: Init): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const withoutOthers = (module: object) => {
      const { NODEFS } = module as { NODEFS: { doSetAttr: SetAttr } }
      const setAttr = NODEFS.doSetAttr
      NODEFS.doSetAttr = (path, node, attr, ...rest) =>
        setAttr(path, node, attr.mode === undefined ? attr : { ...attr, mode: attr.mode & ~0o077 }, ...rest)
    }
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), withoutOthers] },
    }
  }
}
