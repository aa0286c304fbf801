import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Config } from '../config.ts'
import { StorageAway } from '../errors.ts'
import { assertKey, assertShop, type ImageStore, isKey } from './image-store.ts'

const TIMEOUT_MS = 10_000
const RETRIES = 2
/** How many objects one call removes. */
const SOME = 50

type Answer = { status: number; headers: Headers; bytes: Buffer }

/**
 * Stores images as objects of an S3-compatible bucket, addressed by path (`<endpoint>/<bucket>/<key>`). Requests are
 * signed with AWS Signature Version 4, content included. The credentials need s3:ListBucket; without it, a missing key
 * does not get 404.
 */
export function createBucketStore(settings: NonNullable<Config['s3']>): ImageStore {
  const { endpoint, bucket, accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES })

  async function ask(key: string, init: RequestInit): Promise<Answer> {
    assertKey(key)
    return send(`/${key}`, init)
  }

  async function send(path: string, init: RequestInit): Promise<Answer> {
    const answer = await client
      .fetch(`${endpoint}/${bucket}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then(async (response) => ({
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      }))
      .catch((error: unknown) => {
        throw new StorageAway('the bucket does not respond', error)
      })
    if ([200, 204, 404].includes(answer.status)) return answer
    throw new StorageAway(`the bucket answers ${init.method} with HTTP ${answer.status}`)
  }

  async function* list(shopId: string): AsyncGenerator<{ key: string; storedAt: Date }> {
    assertShop(shopId)
    for (let after = ''; ; ) {
      const { status, bytes } = await send(`?list-type=2&prefix=${shopId}/&start-after=${after}`, {
        method: 'GET',
      })
      if (status === 404) throw new StorageAway('the bucket does not exist')
      const text = bytes.toString('utf8')
      const found = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one]) => ({
        key: /<Key>([^<]+)<\/Key>/.exec(one!)![1]!,
        storedAt: new Date(/<LastModified>([^<]+)<\/LastModified>/.exec(one!)![1]!),
      }))
      // The bucket may contain other objects too.
      yield* found.filter(({ key }) => isKey(key))
      if (!/<IsTruncated>true</.test(text)) return
      after = encodeURIComponent(found.at(-1)!.key)
    }
  }

  return {
    async put(key, bytes, contentType) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const { status } = await ask(key, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-type': contentType, 'x-amz-content-sha256': sha256 },
      })
      if (status !== 200) throw new StorageAway('the bucket does not exist')
    },
    async get(key) {
      const { status, bytes } = await ask(key, { method: 'GET' })
      return status === 200 ? bytes : undefined
    },
    list,
    async removeOlder(key, before) {
      const { status, headers } = await ask(key, { method: 'HEAD' })
      if (status === 404) return false
      if (new Date(headers.get('last-modified') ?? Number.NaN) < before) {
        await ask(key, { method: 'DELETE' })
        return true
      }
      return false
    },
    async removeSome(shopId) {
      let removed = 0
      for await (const { key } of list(shopId)) {
        await ask(key, { method: 'DELETE' })
        removed += 1
        if (removed === SOME) break
      }
      return removed
    },
  }
}
