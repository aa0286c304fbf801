import { connect, type Socket } from 'node:net'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MOST_UPLOADS } from '../../../src/modules/images/rules.ts'
import { hangUpWhileLocked } from '../../support/hang-up.ts'
import { IMAGES, pictureBytes, upload } from '../../support/images.ts'
import { timesSlower } from '../../support/machine-speed.ts'
import { eventually, makeShop, type Partner, separateService } from '../../support/service.ts'

const running = await separateService()
const { port } = running.app.server.address() as { port: number }

/** Over the network, so that a caller can disconnect. */
function send(partner: Partner, bytes: Buffer, signal?: AbortSignal): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${IMAGES}`, {
    method: 'POST',
    headers: { 'x-api-key': `service-partner ${partner.apiKey}`, 'content-type': 'image/png' },
    body: new Uint8Array(bytes),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Sends the headers of an upload, and nothing of its body. */
function sendHeaders(apiKey: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST ${IMAGES} HTTP/1.1\r\nhost: x\r\nx-api-key: service-partner ${apiKey}\r\n` +
      'content-type: image/png\r\ncontent-length: 100\r\n\r\n',
  )
  return socket
}

function plain(side: number, depth: 8 | 16 = 8, channels: 3 | 4 = 3): Promise<Buffer> {
  const image = sharp({ create: { width: side, height: side, channels, background: '#aabb3388' } })
  return (depth === 16 ? image.toColourspace('rgb16') : image).png({ palette: false }).toBuffer()
}

describe('POST /api/external/v1/images, many at once', () => {
  it('of one shop’s 60 large images 8 are taken, 429 IMAGES_BUSY for the rest; another shop’s waits for one of them at most', async () => {
    const [one, other] = [await makeShop(running), await makeShop(running)]
    const large = await plain(7_000)
    let done = 0
    const many = Array.from({ length: 60 }, () =>
      send(one, large).then((answer) => {
        if (answer.status === 201) done += 1
        return answer
      }),
    )
    await eventually(async () => done > 0, 30_000)
    const before = done
    const small = await send(other, await pictureBytes('png', 4, 4))
    // The image that was being processed when the request came, and one more that may begin before its bytes were read.
    expect(done - before).toBeLessThanOrEqual(2)
    expect(small.status).toBe(201)
    const answers = await Promise.all(many)
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 201).length + refused.length).toBe(60)
    expect(refused.length).toBeGreaterThan(30)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused[0]!.json()).toMatchObject({ statusCode: 429, code: 'IMAGES_BUSY' })
  }, 60_000)

  it('places are free again after answers of every kind and after callers that hung up', async () => {
    const shop = await makeShop(running)
    const large = await plain(6_000)
    for (let round = 0; round < 3; round++) {
      const gone = new AbortController()
      const sent = Array.from({ length: 8 }, () => send(shop, large, gone.signal).catch(() => undefined))
      await new Promise((resolve) => setTimeout(resolve, 100))
      gone.abort()
      await Promise.all(sent)
      await eventually(async () => (await send(shop, await pictureBytes('png', 4, 4))).status === 201, 20_000)
    }
    for (let n = 0; n < 20; n++) {
      expect((await send(shop, Buffer.from('none'))).status).toBe(400)
      expect((await upload(running, shop, await pictureBytes('png', 4, 4))).status).toBe(201)
    }
  }, 60_000)

  it('places are free again after callers that hung up while their key was being looked up', async () => {
    const shop = await makeShop(running)
    const small = await pictureBytes('png', 4, 4)
    await hangUpWhileLocked(
      running,
      { path: IMAGES, table: 'api_keys', count: MOST_UPLOADS.ofShop },
      (signal) => send(shop, small, signal),
    )
    await eventually(async () => (await send(shop, small)).status === 201)
  })

  it('201 for another shop’s image while three shops hold all places they can by sending no bodies', async () => {
    const open: Socket[] = []
    for (let shops = 0; shops < 3; shops++) {
      const { apiKey } = await makeShop(running)
      for (let n = 0; n < MOST_UPLOADS.ofShop; n++) open.push(sendHeaders(apiKey))
    }
    onTestFinished(() => {
      for (const socket of open) socket.destroy()
    })
    let refused = 0
    for (const socket of open) {
      socket.once('data', () => {
        refused += 1
      })
    }
    // Together they have 16 places, or 17 if the first two took theirs before the third.
    await eventually(async () => refused >= MOST_UPLOADS.ofShop - 1, 10_000)
    const other = await makeShop(running)
    expect((await upload(running, other, await pictureBytes('png', 4, 4))).status).toBe(201)
  })

  it('400 IMAGE_TOO_LARGE for 50 megapixels with 16 bits of four channels, before they are decoded; with 8 bits of three 201', async () => {
    const shop = await makeShop(running)
    const deep = await upload(running, shop, await plain(7_071, 16, 4))
    expect([deep.status, deep.body.code, deep.body.message]).toEqual([
      400,
      'IMAGE_TOO_LARGE',
      'The image has more than 25 megapixels',
    ])
    expect((await upload(running, shop, await plain(7_071))).status).toBe(201)
  }, 60_000)
})

describe('POST /api/external/v1/images, forms', () => {
  const form = (parts: string) => Buffer.from(`${parts}--x--\r\n`)
  const part = (headers = '') => `--x\r\ncontent-disposition: form-data; name="a"\r\n${headers}\r\nb\r\n`
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const withImage = async (parts: number) => {
    const head =
      '--x\r\ncontent-disposition: form-data; name="f"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
    const image = await pictureBytes('png', 4, 4)
    return Buffer.concat([Buffer.from(part().repeat(parts) + head), image, Buffer.from('\r\n--x--\r\n')])
  }

  it('400 FORM_TOO_COMPLEX for 180,000 parts and for 9 MB of headers, without reading them', async () => {
    const shop = await makeShop(running)
    for (const bytes of [form(part().repeat(180_000)), form(part('x-a: b\r\n'.repeat(1_000_000)))]) {
      const start = process.cpuUsage()
      const { status, body } = await upload(running, shop, bytes, type)
      const { user, system } = process.cpuUsage(start)
      expect([status, body.code]).toEqual([400, 'FORM_TOO_COMPLEX'])
      expect((user + system) / 1_000).toBeLessThan(400 * timesSlower())
    }
  })

  it('400 for too many parts by the boundary that the form is read with, and for a boundary that is not clear', async () => {
    const shop = await makeShop(running)
    const bytes = await withImage(1_000)
    for (const [parameters, code] of [
      ['; xboundary=zzzz; boundary=x', 'FORM_TOO_COMPLEX'],
      ['; boundary="x"', 'FORM_TOO_COMPLEX'],
      ['; boundary=zzzz, multipart/form-data; boundary=x', 'IMAGE_NOT_SUPPORTED'],
      ['; boundary=\xe9', 'IMAGE_NOT_SUPPORTED'],
      ['; boundary=', 'IMAGE_NOT_SUPPORTED'],
      ['; xboundary=x', 'IMAGE_NOT_SUPPORTED'],
    ]) {
      const headers = { 'content-type': `multipart/form-data${parameters}` }
      const { status, body } = await upload(running, shop, bytes, headers)
      expect([parameters, status, body.code]).toEqual([parameters, 400, code])
    }
  })

  it('201 for a form with a hundred parts, one of them the image', async () => {
    const shop = await makeShop(running)
    expect((await upload(running, shop, await withImage(99), type)).status).toBe(201)
  })
})
