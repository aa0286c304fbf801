import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { StorageAway } from '../../../src/errors.ts'
import { createBucketStore } from '../../../src/storage/bucket.ts'
import { createFolderStore } from '../../../src/storage/folder.ts'
import { fetchImage, IMAGES, makeBucket, picture, pictureBytes, upload } from '../../support/images.ts'
import { temporaryFolder } from '../../support/process.ts'
import { makeShop, type Partner, separateService, unusedId } from '../../support/service.ts'

const folder = temporaryFolder()
const running = await separateService({ dataDir: folder.path })
let shop: Partner

beforeAll(async () => {
  shop = await makeShop(running)
  return () => folder.remove()
})

/** The colour of a pixel, by its largest component. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<'red' | 'green'> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return data[at]! > data[at + 1]! ? 'red' : 'green'
}

describe('POST /api/external/v1/images', () => {
  it.each([
    ['png', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['webp', 'image/webp', 'webp'],
  ] as const)(
    '201 for %s, kept by its content in DATA_DIR and served with long cache headers',
    async (format, type, ending) => {
      const { status, body } = await upload(running, shop, await pictureBytes(format), {
        'content-type': type,
      })
      expect(status, JSON.stringify(body)).toBe(201)
      const { url, size } = body.data
      expect(body).toEqual({ success: true, data: { url, width: 40, height: 20, size, contentType: type } })
      const served = await fetchImage(running, url)
      const hash = createHash('sha256').update(served.bytes).digest('hex')
      expect(url).toBe(`http://localhost:80/images/${shop.shopId}/${hash}.${ending}`)
      expect([served.status, served.bytes.length]).toEqual([200, size])
      expect(served.headers).toMatchObject({
        'content-type': type,
        'content-length': String(size),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        etag: `"${hash}"`,
      })
      expect(
        readFileSync(join(folder.path, 'images', shop.shopId, `${hash}.${ending}`)).equals(served.bytes),
      ).toBe(true)
    },
  )

  it('200 for a square of 96 pixels with ?size=96, as WebP under a tag of its own; 400 for another size', async () => {
    const large = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#c33' } })
      .jpeg()
      .toBuffer()
    const { url } = (await upload(running, shop, large, { 'content-type': 'image/jpeg' })).body.data
    const [whole, small] = [await fetchImage(running, url), await fetchImage(running, `${url}?size=96`)]
    expect(small.status).toBe(200)
    expect(small.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(small.headers.etag).not.toBe(whole.headers.etag)
    expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 96, height: 96, format: 'webp' })
    expect((await fetchImage(running, `${url}?size=96`)).bytes.equals(small.bytes)).toBe(true)
    expect((await fetchImage(running, `${url}?size=2048`)).status).toBe(400)
  })

  it('the type is the content’s, not the header’s; the same image has the same address and one file', async () => {
    const other = await makeShop(running)
    const bytes = await pictureBytes('webp', 30, 30)
    const answers = await Promise.all(
      [1, 2, 3].map(() => upload(running, other, bytes, { 'content-type': 'image/png' })),
    )
    expect(new Set(answers.map((answer) => answer.body.data.url)).size).toBe(1)
    expect(answers[0]!.body.data).toMatchObject({ contentType: 'image/webp' })
    expect(readdirSync(join(folder.path, 'images', other.shopId))).toHaveLength(1)
  })

  it('is turned as its EXIF says, loses its metadata and fits into 2048 pixels', async () => {
    const bytes = await picture(3000, 1000)
      .jpeg()
      .withExif({ IFD0: { Orientation: '6', Copyright: 'Chủ tiệm' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await sharp(bytes).metadata()).orientation).toBe(6)
    const { body } = await upload(running, shop, bytes, { 'content-type': 'image/jpeg' })
    expect(body.data).toMatchObject({ width: 683, height: 2048 })
    const served = await fetchImage(running, body.data.url)
    const { exif, orientation, icc } = await sharp(served.bytes).metadata()
    expect([exif, orientation, icc]).toEqual([undefined, undefined, undefined])
    expect(await colourAt(served.bytes, 300, 100)).toBe('green')
    expect(await colourAt(served.bytes, 300, 1900)).toBe('red')
  })

  it('201 for a form’s first file', async () => {
    const form = new FormData()
    form.set('note', 'ảnh')
    form.set(
      'file',
      new Blob([new Uint8Array(await pictureBytes('png', 12, 8))], { type: 'image/png' }),
      'a.png',
    )
    const encoded = new Response(form)
    const { status, body } = await upload(running, shop, Buffer.from(await encoded.arrayBuffer()), {
      'content-type': encoded.headers.get('content-type')!,
    })
    expect([status, body.data]).toMatchObject([201, { width: 12, height: 8, contentType: 'image/png' }])
  })

  it('G-10 the same Idempotency-Key answers again, other bytes are refused', async () => {
    const headers = { 'content-type': 'image/png', 'idempotency-key': unusedId() }
    const bytes = await pictureBytes('png', 9, 9)
    const first = await upload(running, shop, bytes, headers)
    const again = await upload(running, shop, bytes, headers)
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
    expect((await upload(running, shop, await pictureBytes('png', 9, 8), headers)).status).toBe(422)
  })

  it('the address begins with PUBLIC_URL', async () => {
    const public_ = await separateService({ dataDir: folder.path, publicUrl: 'https://shop.example/api' })
    const { body } = await upload(public_, await makeShop(public_), await pictureBytes('png'))
    expect(body.data.url).toMatch(/^https:\/\/shop\.example\/api\/images\//)
  })
})

describe('POST /api/external/v1/images refuses', () => {
  it.each([
    ['a GIF', () => pictureBytes('gif')],
    ['a TIFF', () => pictureBytes('tiff')],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a text', async () => Buffer.from('xin chào')],
    ['nothing', async () => Buffer.alloc(0)],
  ])('400 IMAGE_NOT_SUPPORTED for %s, whatever its Content-Type says', async (_, bytes) => {
    const { status, body } = await upload(running, shop, await bytes())
    expect([status, body.code]).toEqual([400, 'IMAGE_NOT_SUPPORTED'])
  })

  it('400 IMAGE_NOT_SUPPORTED for a form without a file and for one that is broken', async () => {
    for (const [text, type] of [
      [
        '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
        'multipart/form-data; boundary=x',
      ],
      ['--x\r\n', 'multipart/form-data; boundary=x'],
      ['b', 'multipart/form-data'],
    ] as const) {
      const { status, body } = await upload(running, shop, Buffer.from(text), { 'content-type': type })
      expect([status, body.code]).toEqual([400, 'IMAGE_NOT_SUPPORTED'])
    }
  })

  it('400 IMAGE_UNREADABLE for one that is cut off or damaged', async () => {
    const png = await pictureBytes('png', 300, 300)
    const jpeg = await pictureBytes('jpeg', 300, 300)
    for (const bytes of [
      png.subarray(0, png.length / 2),
      jpeg.subarray(0, jpeg.length / 2),
      png.subarray(0, 20),
    ]) {
      const { status, body } = await upload(running, shop, bytes)
      expect([status, body.code]).toEqual([400, 'IMAGE_UNREADABLE'])
    }
  })

  it('400 IMAGE_TOO_LARGE for 51 megapixels in a few kilobytes, without decoding them', async () => {
    const bomb = await sharp({ create: { width: 10_200, height: 5_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(500_000)
    const { status, body } = await upload(running, shop, bomb)
    expect([status, body.code]).toEqual([400, 'IMAGE_TOO_LARGE'])
  })

  it('400 IMAGE_SIDE_TOO_LONG for a side above 20,000 pixels, which costs more than its megapixels; 201 for 20,000', async () => {
    const strip = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png()
        .toBuffer()
    for (const [width, height] of [
      [1, 20_001],
      [20_001, 1],
    ] as const) {
      const { status, body } = await upload(running, shop, await strip(width, height))
      expect([status, body.code, body.message]).toEqual([
        400,
        'IMAGE_SIDE_TOO_LONG',
        'A side of the image is longer than 20000 pixels',
      ])
    }
    expect((await upload(running, shop, await strip(1, 20_000))).status).toBe(201)
  })

  it('413 above 10 MB and 415 for JSON, both saying what is taken', async () => {
    const large = await upload(running, shop, Buffer.alloc(10 * 1024 * 1024 + 1))
    expect([large.status, large.body.message]).toEqual([413, 'Body is larger than the limit of 10 MB'])
    const json = await shop.post(IMAGES, { image: 'x' })
    expect([json.status, json.body.message]).toEqual([
      415,
      'Content-Type must be image/png, image/jpeg, image/webp or multipart/form-data',
    ])
    const elsewhere = await shop.post('/api/external/v1/customers', 'x'.repeat(1024 * 1024 + 1))
    expect([elsewhere.status, elsewhere.body.message]).toEqual([413, 'Body is larger than the limit of 1 MB'])
  })

  it('401 without a key', async () => {
    expect((await upload(running, { apiKey: 'none' }, await pictureBytes('png'))).status).toBe(401)
  })
})

describe('GET /images/{shop}/{file}', () => {
  it('304 for the tag it has, also for HEAD; nothing is read for it', async () => {
    const { url } = (await upload(running, shop, await pictureBytes('png'))).body.data
    const { headers } = await fetchImage(running, url)
    const known = await fetchImage(running, url, { 'if-none-match': `"other", ${headers.etag}` })
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, headers.etag])
    expect(known.headers['cache-control']).toContain('immutable')
    const head = await running.app.inject({ method: 'HEAD', url: new URL(url).pathname })
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, headers['content-length']])
  })

  it('404 for an image of another shop under this one’s path, and for any malformed path', async () => {
    const { url } = (await upload(running, shop, await pictureBytes('png', 5, 5))).body.data
    const [, , shopId, file] = new URL(url).pathname.split('/') as [string, string, string, string]
    for (const path of [
      `/images/${unusedId()}/${file}`,
      `/images/${shopId}/${file.replace('.png', '.jpg')}`,
      `/images/${shopId}/..%2f${shopId}%2f${file}`,
      `/images/..%2f..%2f/${file}`,
      `/images/${shopId}/%2e%2e%2f%2e%2e%2foperator-token`,
      `/images/${shopId}/${file}%00`,
      `/images/${shopId}/`,
      `/images/${shopId}`,
    ]) {
      const answer = await running.app.inject({ method: 'GET', url: path })
      expect([path, answer.statusCode]).toEqual([path, 404])
      expect(answer.headers['cache-control']).toBeUndefined()
    }
  })
})

describe('images in an S3-compatible bucket', () => {
  it('are put and fetched by signed requests (AWS Signature Version 4), byte for byte', async () => {
    const bucket = await makeBucket()
    const settings = {
      bucket: 'shop-images',
      accessKeyId: 'AKID',
      secretAccessKey: 'secret',
      region: 'ap-southeast-1',
    }
    const stored = await separateService({ s3: { endpoint: bucket.endpoint, ...settings } })
    const partner = await makeShop(stored)
    const { status, body } = await upload(stored, partner, await pictureBytes('png'))
    expect(status).toBe(201)
    const key = new URL(body.data.url).pathname.replace('/images/', '')
    const kept = bucket.objects.get(`/shop-images/${key}`)!
    const served = await fetchImage(stored, body.data.url)
    expect(served.bytes.equals(kept)).toBe(true)
    const [put, get] = bucket.seen
    expect(put).toMatchObject({
      method: 'PUT',
      headers: {
        'content-type': 'image/png',
        'x-amz-content-sha256': createHash('sha256').update(kept).digest('hex'),
        'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/ap-southeast-1\/s3\/aws4_request, SignedHeaders=\S*host;\S*x-amz-content-sha256\S*, Signature=[0-9a-f]{64}$/,
        ),
      },
    })
    expect(get).toMatchObject({
      method: 'GET',
      headers: { authorization: expect.stringContaining('AWS4-HMAC-SHA256') },
    })
  })

  it('all images of a shop are removed from it, and no other shop’s', async () => {
    const bucket = await makeBucket()
    const s3 = { bucket: 'b-1', accessKeyId: 'AKID', secretAccessKey: 'secret', region: 'auto' }
    const store = createBucketStore({ endpoint: bucket.endpoint, ...s3 })
    const [gone, other] = [unusedId(), unusedId()]
    const key = (shopId: string, n: number) => `${shopId}/${String(n).padStart(64, '0')}.png`
    for (let n = 0; n < 60; n++) await store.put(key(gone, n), Buffer.from('x'), 'image/png')
    await store.put(key(other, 0), Buffer.from('x'), 'image/png')
    for (let n = 0; n < 60; n++) bucket.objects.set(`/b-1/${gone}/!foreign-${n}`, Buffer.from('x'))
    const listed = await Array.fromAsync(store.list(gone))
    expect(listed.map((one) => one.key)).toEqual(Array.from({ length: 60 }, (_, n) => key(gone, n)))
    expect(listed[0]!.storedAt).toEqual(new Date('2026-01-01T00:00:00.000Z'))
    let removed = 0
    for (let count = 1; count > 0; removed += count) count = await store.removeSome(gone)
    expect(removed).toBe(60)
    const left = [...bucket.objects.keys()].filter((path) => !path.includes('!foreign'))
    expect(left).toEqual([`/b-1/${key(other, 0)}`])
    bucket.state.failWith = 404
    await expect(store.removeSome(gone)).rejects.toThrow(StorageAway)
    await expect(store.removeSome('../../x')).rejects.toThrow()
  })

  it('one that was stored again is kept, an older one is removed', async () => {
    const bucket = await makeBucket()
    const s3 = { bucket: 'b-1', accessKeyId: 'AKID', secretAccessKey: 'secret', region: 'auto' }
    const store = createBucketStore({ endpoint: bucket.endpoint, ...s3 })
    const key = `${unusedId()}/${'0'.repeat(64)}.png`
    await store.put(key, Buffer.from('x'), 'image/png')
    const { storedAt } = bucket.state
    expect(await store.removeOlder(key, storedAt)).toBe(false)
    expect(await store.removeOlder(key, new Date(storedAt.getTime() + 1))).toBe(true)
    expect(await store.removeOlder(key, new Date(storedAt.getTime() + 1))).toBe(false)
    expect(bucket.objects.size).toBe(0)
  })

  it('404 for one that the bucket does not have; 503 with Retry-After while it fails or is away', async () => {
    const bucket = await makeBucket()
    const s3 = { bucket: 'b-1', accessKeyId: 'AKID', secretAccessKey: 'secret', region: 'auto' }
    const stored = await separateService({ s3: { endpoint: bucket.endpoint, ...s3 } })
    const partner = await makeShop(stored)
    const url = `http://x/images/${partner.shopId}/${'0'.repeat(64)}.png`
    expect((await fetchImage(stored, url)).status).toBe(404)
    bucket.state.failWith = 403
    const failing = await upload(stored, partner, await pictureBytes('png'))
    expect([failing.status, failing.headers['retry-after']]).toEqual([503, '5'])
    expect(failing.body.message).toBe('The image storage is not responding. Retry shortly')
    const gone = await separateService({ s3: { endpoint: 'http://127.0.0.1:9', ...s3 } })
    expect((await fetchImage(gone, url)).status).toBe(503)
  })
})

describe('images in a folder', () => {
  it('one that is stored again while it is being removed as old is there afterwards', async () => {
    const folder = temporaryFolder()
    const store = createFolderStore(folder.path)
    const key = `${unusedId()}/${'0'.repeat(64)}.png`
    const bytes = Buffer.from('x')
    await store.put(key, bytes, 'image/png')
    const [longAgo, before] = [new Date('2026-01-01'), new Date('2026-02-01')]
    for (let n = 0; n < 300; n++) {
      utimesSync(join(folder.path, key), longAgo, longAgo)
      await Promise.all([store.removeOlder(key, before), store.put(key, bytes, 'image/png')])
      expect(await store.get(key)).toEqual(bytes)
    }
    expect(readdirSync(join(folder.path, key, '..'))).toHaveLength(1)
    folder.remove()
  })
})
