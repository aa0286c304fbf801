import { Redis } from 'ioredis'
import type { Config } from '../../config.ts'
import { openPostgres } from '../../db/client.ts'
import { StorageAway } from '../../errors.ts'
import { type Check, fine, wrong } from '../../modules/operations/checks.ts'
import { findIdentity } from '../../modules/operations/checks-sql.ts'
import { createBucketStore } from '../../storage/bucket.ts'

const WITHIN_MS = 5_000
/** An id that no shop has, so that nothing is listed. */
const NO_SHOP = '0'.repeat(24)

/** The servers that some settings name beside the database: none of them without its setting. */
export async function checkServers(config: Config): Promise<Check[]> {
  const checks = await Promise.all([checkStandby(config), checkRedis(config), checkBucket(config)])
  return checks.flat()
}

/** Checks that DATABASE_READ_URL leads to a standby of the database. */
async function checkStandby({ databaseUrl, databaseReadUrl }: Config): Promise<Check[]> {
  if (databaseUrl === undefined || databaseReadUrl === undefined) return []
  const name = serverOf(databaseReadUrl)
  const unused = 'the database answers every read'
  const opened = [databaseUrl, databaseReadUrl].map((url) => openPostgres(url, { max: 1 }))
  try {
    const [own, its] = await Promise.all(opened.map(({ db }) => findIdentity(db)))
    if (own === its) return [fine('standby', `${name} has the database`)]
    const says = `${name} has another database than DATABASE_URL: ${unused}`
    return [wrong('standby', says, 'correct DATABASE_READ_URL, or remove it')]
  } catch (error) {
    const says = `${name} cannot be compared with the database (${reasonOf(error)}): ${unused}`
    return [wrong('standby', says, 'start the standby, or correct DATABASE_READ_URL')]
  } finally {
    await Promise.all(opened.map((one) => one.close()))
  }
}

/** Checks that Redis lets the service sign in. */
async function checkRedis({ redisUrl }: Config): Promise<Check[]> {
  if (redisUrl === undefined) return []
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: WITHIN_MS,
    commandTimeout: WITHIN_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let lastError: unknown
  redis.on('error', (error) => {
    lastError = error
  })
  try {
    await redis.connect()
    await redis.ping()
    return [fine('redis', `${serverOf(redisUrl)} responds`)]
  } catch (error) {
    return [
      wrong(
        'redis',
        `${serverOf(redisUrl)} cannot be used (${reasonOf(lastError ?? error)}): each process counts its share of the rate limits`,
        'start Redis, or correct REDIS_URL',
      ),
    ]
  } finally {
    redis.disconnect()
  }
}

/** Checks that the bucket of the images can be listed; nothing is stored. */
async function checkBucket({ s3 }: Config): Promise<Check[]> {
  if (s3 === undefined) return []
  const name = `${s3.bucket} at ${s3.endpoint}`
  try {
    for await (const _image of createBucketStore(s3).list(NO_SHOP)) break
    return [fine('images', `${name} can be listed`)]
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error
    return [
      wrong(
        'images',
        `${name} cannot be used (${error.message}): images cannot be uploaded or shown`,
        'correct S3_ENDPOINT, S3_BUCKET, S3_REGION or the access key, and grant it s3:ListBucket',
      ),
    ]
  }
}

/** Without the name and the password. */
function serverOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** The code, because a message may contain the password. */
function reasonOf(error: unknown): string {
  const { code, message = '' } = error as { code?: string; message?: string }
  return code ?? /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'no reason given'
}
