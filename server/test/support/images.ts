import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import sharp, { type Sharp } from 'sharp'
import { onTestFinished } from 'vitest'
import { checkResponse } from './response-check.ts'
import type { Answer, Partner, Service } from './service.ts'

export const IMAGES = '/api/external/v1/images'

type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff'

/** A red picture with a green left half, which shows its orientation. */
export function picture(width: number, height: number): Sharp {
  const left = {
    create: { width: Math.ceil(width / 2), height, channels: 3, background: '#00ff00' },
  } as const
  const whole = { create: { width, height, channels: 3, background: '#ff0000' } } as const
  return sharp(whole).composite([{ input: left, left: 0, top: 0 }])
}

export function pictureBytes(format: Format, width = 40, height = 20): Promise<Buffer> {
  return picture(width, height).toFormat(format).toBuffer()
}

/** Uploads bytes unchanged. */
export async function upload(
  running: Service,
  partner: Pick<Partner, 'apiKey'>,
  payload: Buffer,
  headers: Record<string, string> = { 'content-type': 'image/png' },
): Promise<Answer> {
  const request: InjectOptions = {
    method: 'POST',
    url: IMAGES,
    headers: { 'x-api-key': `service-partner ${partner.apiKey}`, ...headers },
    payload,
  }
  const answer = await running.app.inject(request)
  const body = answer.json()
  checkResponse(running.app, 'POST', IMAGES, answer.statusCode, body)
  return { status: answer.statusCode, body, headers: answer.headers as Record<string, string> }
}

/** Fetches an image by its address without authentication. */
export async function fetchImage(running: Service, url: string, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url)
  const answer = await running.app.inject({ method: 'GET', url: pathname + search, headers })
  return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers }
}

type Seen = { method: string; path: string; headers: IncomingMessage['headers'] }

/** A bucket over HTTP for one test. It keeps what it is sent, and every request. `failWith` makes it refuse. */
export async function makeBucket() {
  const objects = new Map<string, Buffer>()
  const seen: Seen[] = []
  const state = { failWith: 0, storedAt: new Date('2026-01-01T00:00:00Z') }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    seen.push({ method: request.method ?? '', path, headers: request.headers })
    if (state.failWith > 0) return void response.writeHead(state.failWith).end()
    if (request.method === 'PUT') {
      objects.set(path, Buffer.concat(chunks))
      return void response.writeHead(200).end()
    }
    const asked = new URL(path, 'http://bucket.example')
    if (asked.searchParams.has('list-type')) {
      const most = Number(asked.searchParams.get('max-keys') ?? 25)
      const [prefix, after] = ['prefix', 'start-after'].map((one) => asked.searchParams.get(one) ?? '')
      const from = asked.pathname.length + 1
      const keys = [...objects.keys()]
        .map((one) => one.slice(from))
        .filter((one) => one.startsWith(prefix!) && one > after!)
        .toSorted()
      const contents = keys
        .slice(0, most)
        .map(
          (one) =>
            `<Contents><Key>${one}</Key><LastModified>${state.storedAt.toISOString()}</LastModified></Contents>`,
        )
      const isCut = `<IsTruncated>${keys.length > most}</IsTruncated>`
      return void response
        .writeHead(200)
        .end(`<ListBucketResult>${isCut}${contents.join('')}</ListBucketResult>`)
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return void response.writeHead(204).end()
    }
    const found = objects.get(path)
    const headers = { 'last-modified': state.storedAt.toUTCString() }
    return void response.writeHead(found === undefined ? 404 : 200, headers).end(found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { endpoint, objects, seen, state }
}
