import { Redis } from 'ioredis'

/** The Redis that tests share between processes: TEST_REDIS_URL, otherwise the local one. */
export const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Whether Redis answers. If it does not, the tests that need it are skipped, and the run reports it. */
export const hasRedis = await answers(REDIS_URL)
if (!hasRedis) process.stderr.write(`No Redis answers at ${REDIS_URL}: the tests that need it are skipped.\n`)

async function answers(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: 1_000, retryStrategy: () => null })
  redis.on('error', () => {})
  const isThere = await redis.connect().then(
    () => true,
    () => false,
  )
  redis.disconnect()
  return isThere
}
