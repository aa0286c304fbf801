import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { Config } from '../config.ts'
import { StorageAway } from '../errors.ts'
import { assertKey, type ImageStore } from './image-store.ts'

const TIMEOUT_MS = 10_000
const RETRIES = 2

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
    const answer = await client
      .fetch(`${endpoint}/${bucket}/${key}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then(async (response) => ({
        status: response.status,
        bytes: Buffer.from(await response.arrayBuffer()),
      }))
      .catch((error: unknown) => {
        throw new StorageAway('the bucket does not answer', error)
      })
    if (answer.status === 200 || answer.status === 404) return answer
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
  }
}
