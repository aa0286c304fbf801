import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createBucketStore } from './bucket.ts'
import { createFolderStore } from './folder.ts'
import type { ImageStore } from './image-store.ts'

/** The store in the bucket of the settings, or else in the folder `images` in DATA_DIR. */
export function openImageStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): ImageStore {
  return s3 === undefined ? createFolderStore(join(dataDir, 'images')) : createBucketStore(s3)
}
