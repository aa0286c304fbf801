import { randomBytes } from 'node:crypto'
import { access, mkdir, opendir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StorageAway } from '../errors.ts'
import { assertKey, assertShop, type ImageStore } from './image-store.ts'

/** A disk that is full or read-only. */
const TAKES_NOTHING = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** How many files one call removes. */
const SOME = 200

/** Images as files below `folder`. A file gets its name only once it is complete. */
export function createFolderStore(folder: string): ImageStore {
  return {
    async put(key, bytes) {
      assertKey(key)
      const path = join(folder, key)
      if (await isThere(path)) return
      const unfinished = `${path}.${randomBytes(6).toString('hex')}`
      await mkdir(dirname(path), { recursive: true })
      try {
        await writeFile(unfinished, bytes)
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        const { code = '' } = error as NodeJS.ErrnoException
        throw TAKES_NOTHING.has(code) ? new StorageAway(`${folder} takes no files`, error) : error
      }
    },
    async get(key) {
      assertKey(key)
      return readFile(join(folder, key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
    },
    async removeSome(shopId) {
      assertShop(shopId)
      const path = join(folder, shopId)
      const files = await opendir(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
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

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
