import { randomBytes } from 'node:crypto'
import type { Dir } from 'node:fs'
import {
  access,
  mkdir,
  opendir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StorageAway } from '../errors.ts'
import { assertKey, assertShop, type ImageStore, isKey } from './image-store.ts'

/** The error codes of a disk that is full or read-only. */
const TAKES_NOTHING = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** How many files one call removes. */
const SOME = 200

/** Stores images as files in `folder`. A file gets its name only once it is complete. */
export function createFolderStore(folder: string): ImageStore {
  return {
    async put(key, bytes) {
      assertKey(key)
      const path = join(folder, key)
      // Storing it again renews its time, because it is needed now, however old the file is.
      if (await isThere(path)) return utimes(path, new Date(), new Date())
      const unfinished = `${path}.${randomBytes(6).toString('hex')}`
      await mkdir(dirname(path), { recursive: true })
      try {
        await writeFile(unfinished, bytes)
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        const { code = '' } = error as NodeJS.ErrnoException
        throw TAKES_NOTHING.has(code) ? new StorageAway(`no files can be written to ${folder}`, error) : error
      }
    },
    async get(key) {
      assertKey(key)
      return readFile(join(folder, key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
    },
    async *list(shopId) {
      assertShop(shopId)
      const files = await opened(join(folder, shopId))
      if (files === undefined) return
      for await (const { name } of files) {
        const key = `${shopId}/${name}`
        // A file that is still being written has no valid key yet.
        if (isKey(key)) yield { key, storedAt: (await stat(join(folder, key))).mtime }
      }
    },
    async removeOlder(key, before) {
      assertKey(key)
      const path = join(folder, key)
      if (!(await isThere(path)) || (await stat(path)).mtime >= before) return false
      await rm(path, { force: true })
      return true
    },
    async removeSome(shopId) {
      assertShop(shopId)
      const path = join(folder, shopId)
      const files = await opened(path)
      if (files === undefined) return 0
      let removed = 0
      for await (const { name } of files) {
        await rm(join(path, name), { force: true })
        removed += 1
        if (removed === SOME) return removed
      }
      await rmdir(path).catch(() => {})
      return removed
    },
  }
}

function opened(path: string): Promise<Dir | undefined> {
  return opendir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
