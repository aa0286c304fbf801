import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Config } from '../config.ts'
import { StorageAway } from '../errors.ts'
import { assertKey, assertShop, type ImageStore, isKey } from './image-store.ts'

const TIMEOUT_MS = 10_000
const RETRIES = 2
/** How many objects one call removes. */
const SOME = 50

/**
 * Images as objects of an S3-compatible bucket, addressed by path (`<endpoint>/<bucket>/<key>`), requests signed with
 * AWS Signature Version 4 over the content too. A missing key gets 404, which requires s3:ListBucket for the
 * credentials.
 */
export function createBucketStore(settings: NonNullable<Config['s3']>): ImageStore {
  const { endpoint, bucket, accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES })

  async function ask(key: string, init: RequestInit): Promise<{ status: number; bytes: Buffer }> {
    assertKey(key)
    return send(`/${key}`, init)
  }

  async function send(path: string, init: RequestInit): Promise<{ status: number; bytes: Buffer }> {
    const answer = await client
      .fetch(`${endpoint}/${bucket}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then(async (response) => ({
        status: response.status,
        bytes: Buffer.from(await response.arrayBuffer()),
      }))
      .catch((error: unknown) => {
        throw new StorageAway('the bucket does not answer', error)
      })
    if ([200, 204, 404].includes(answer.status)) return answer
    throw new StorageAway(`the bucket answers ${init.method} with HTTP ${answer.status}`)
  }

  return {
    async put(key, bytes, contentType) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const { status } = await ask(key, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-type': contentType, 'x-amz-content-sha256': sha256 },
      })
      if (status !== 200) throw new StorageAway('the bucket is not there')
    },
    async get(key) {
      const { status, bytes } = await ask(key, { method: 'GET' })
      return status === 200 ? bytes : undefined
    },
    async *list(shopId) {
      assertShop(shopId)
      for (let after = ''; ; ) {
        const { bytes } = await send(`?list-type=2&prefix=${shopId}/&start-after=${after}`, { method: 'GET' })
        const found = [...bytes.toString('utf8').matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(
          ([, one]) => ({
            key: /<Key>([^<]+)<\/Key>/.exec(one!)![1]!,
            storedAt: new Date(/<LastModified>([^<]+)<\/LastModified>/.exec(one!)![1]!),
          }),
        )
        yield* found.filter(({ key }) => isKey(key))
        if (!/<IsTruncated>true</.test(bytes.toString('utf8'))) return
        after = found.at(-1)!.key
      }
    },
    async remove(key) {
      await ask(key, { method: 'DELETE' })
    },
    async removeSome(shopId) {
      assertShop(shopId)
      const { bytes } = await send(`?list-type=2&max-keys=${SOME}&prefix=${shopId}/`, { method: 'GET' })
      const keys = [...bytes.toString('utf8').matchAll(/<Key>([^<]+)<\/Key>/g)].map((match) => match[1]!)
      for (const key of keys) await ask(key, { method: 'DELETE' })
      return keys.length
    },
  }
}
