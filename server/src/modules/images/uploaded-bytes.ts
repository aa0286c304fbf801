import { Refused } from '../../errors.ts'

/**
 * The image in a request's body: the body itself, or the first file of a form.
 * @throws Refused IMAGE_NOT_SUPPORTED for an empty body, a form that cannot be read or one without a file.
 */
export async function uploadedBytes(body: unknown, contentType: string): Promise<Buffer> {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new Refused('IMAGE_NOT_SUPPORTED')
  if (!/^multipart\/form-data\b/i.test(contentType)) return body
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => undefined)
  for (const [, value] of form ?? []) {
    if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer())
  }
  throw new Refused('IMAGE_NOT_SUPPORTED')
}
