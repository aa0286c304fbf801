import { randomBytes } from 'node:crypto'
import type { Dir } from 'node:fs'
import { mkdir, opendir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
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
      if (await ifThere(utimes(path, new Date(), new Date()).then(() => true))) return
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
      return ifThere(readFile(join(folder, key)))
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
      if (!(await isOlder(path, before))) return false
      // An upload at this moment either renews the time before the file is moved away, or writes it anew.
      const leaving = `${path}.${randomBytes(6).toString('hex')}`
      if (!(await ifThere(rename(path, leaving).then(() => true)))) return false
      if (await isOlder(leaving, before)) {
        await rm(leaving, { force: true })
        return true
      }
      await rename(leaving, path)
      return false
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
  return ifThere(opendir(path))
}

async function isOlder(path: string, than: Date): Promise<boolean> {
  const found = await ifThere(stat(path))
  return found !== undefined && found.mtime < than
}

/** The result of work on a file, or undefined if there is no such file. */
function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
