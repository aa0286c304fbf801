import { lookup as resolve } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { OutboundReason } from '../texts/keys.ts'

export type AddressRule = (address: string) => boolean

export type GuardedRequest = {
  url: string
  /** GET by default. Only a GET follows redirects; for any other method the redirect is the response. */
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /** The time-out of the whole request, including redirects. */
  timeoutMs?: number
  /** A longer response is refused, or cut if `cutsLongAnswers`. */
  maxBytes?: number
  /** The status and headers are the response then; a body that is too long, endless or broken off counts as far as it arrived. */
  cutsLongAnswers?: boolean
  maxRedirects?: number
  /** The IP addresses that may be connected to; public ones by default. */
  allows?: AddressRule
}

/** `url` is the address that finally responded. */
export type GuardedAnswer = {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
  url: string
}

/** The guard refuses the request. `reason` is for code, the message for people. */
export class OutboundRefused extends Error {
  readonly reason: OutboundReason

  constructor(reason: OutboundReason, message: string) {
    super(message)
    this.name = 'OutboundRefused'
    this.reason = reason
  }
}

/** The server could not be reached or did not respond in time: a later attempt may succeed. */
export class OutboundFailed extends Error {
  constructor(cause: string) {
    super(cause)
    this.name = 'OutboundFailed'
  }
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3

/** The only IPv6 range assigned to hosts: mapped, translated, local and multicast forms all lie outside it. */
const GIVEN_OUT_V6 = ipaddr.parseCIDR('2000::/3')
/** An address that responds only inside Azure's network, also with secrets of the machine. */
const METADATA_OF_AZURE = '168.63.129.16'

/**
 * Whether an IP address belongs to the public internet: not loopback, private, link-local (cloud metadata), shared
 * (CGNAT), multicast, reserved, nor an IPv6 form that hides an IPv4 address. False for other text.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  // The package also parses forms that only some programs accept, such as `0x7f.1`.
  if (isIP(bare) === 0 || bare === METADATA_OF_AZURE) return false
  const ip = ipaddr.parse(bare)
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GIVEN_OUT_V6))
}

/** The addresses that requests may go to: public ones, or with OUTBOUND_ALLOW_PRIVATE any. */
export function outboundRule(allowPrivate: boolean): AddressRule {
  return allowPrivate ? () => true : isPublicAddress
}

/**
 * Sends a request to an untrusted address and returns the response, whatever its status. Only http and https, and only
 * addresses that `allows` accepts. The address of the actual connection is checked, so that a name cannot resolve
 * differently between check and use; each redirect is checked in the same way. Times are milliseconds, sizes bytes.
 * @throws OutboundRefused for an address, redirect or size that is not allowed; OutboundFailed when there is no
 *   response.
 */
export async function guardedFetch(request: GuardedRequest): Promise<GuardedAnswer> {
  const { method = 'GET', maxRedirects = MAX_REDIRECTS } = request
  const signal = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS)
  let url = allowedUrl(request.url, request)
  for (let redirects = 0; ; redirects += 1) {
    const answer = await once(url, method, request, signal)
    const { location } = answer.headers
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== undefined
    if (!isRedirect || method !== 'GET') return answer
    if (redirects === maxRedirects) {
      throw new OutboundRefused('redirects', `it redirects more than ${maxRedirects} times`)
    }
    if (!URL.canParse(location, url.href))
      throw new OutboundRefused('address', 'it redirects without an address')
    url = allowedUrl(new URL(location, url).href, request)
  }
}

/** Names that are never public, whatever they resolve to. */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)\.?$|^[^.:[\]]+\.?$/i

/** The longest name that DNS has, without the dot at its end (RFC 1035). */
const MOST_HOST_CHARACTERS = 253

/**
 * Why an address cannot be a target of {@link guardedFetch}, as far as that is known without a DNS look-up; undefined
 * if only the connection can tell.
 */
export function plainProblem(text: string, allows: AddressRule): OutboundRefused | undefined {
  // A URL without it would be called, and another one shown.
  if (/\s/.test(text)) return new OutboundRefused('address', 'an address must not contain white space')
  try {
    const host = bareHost(allowedUrl(text, { url: text, allows }))
    if (host.replace(/\.$/, '').length > MOST_HOST_CHARACTERS) {
      return new OutboundRefused('address', 'its host name is longer than any can be')
    }
    return LOCAL_NAME.test(host) && !allows('127.0.0.1') ? isPrivate() : undefined
  } catch (error) {
    if (error instanceof OutboundRefused) return error
    throw error
  }
}

/** Numbers in other bases and short forms (`0177.1`, `2130706433`) become plain IPv4 when parsed. */
function allowedUrl(text: string, { allows = isPublicAddress }: GuardedRequest): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new OutboundRefused('address', 'it is not an http or https address')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('address', 'an address must not carry a user name or password')
  }
  if (url.port === '0') throw new OutboundRefused('address', 'nothing can listen on port 0')
  const host = bareHost(url)
  if (isIP(host) !== 0 && !allows(host)) throw isPrivate()
  return url
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function isPrivate(): OutboundRefused {
  return new OutboundRefused('private', 'the address points to a private network')
}

/** Resolves a name for the connection itself; addresses that are not allowed are left out. */
function guardedLookup(allows: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const open = found.filter(({ address }) => allows(address))
      const first = open[0]
      if (first === undefined) return callback(isPrivate(), [])
      if (options.all) callback(null, open)
      else callback(null, first.address, first.family)
    })
  }
}

function once(
  url: URL,
  method: 'GET' | 'POST',
  { headers = {}, body, allows = isPublicAddress, maxBytes = MAX_BYTES, cutsLongAnswers }: GuardedRequest,
  signal: AbortSignal,
): Promise<GuardedAnswer> {
  return new Promise((done, fail) => {
    let finishCut: (() => void) | undefined
    const refuse = (error: unknown) => {
      if (finishCut === undefined) fail(asOutbound(error, signal))
      else finishCut()
    }
    const outgoing = (url.protocol === 'https:' ? https : http).request(
      {
        hostname: bareHost(url),
        port: url.port,
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          'user-agent': 'shopbell',
          ...headers,
          host: url.host,
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
        // Opens a new connection: an existing one may have been opened under other rules.
        agent: false,
        signal,
        lookup: guardedLookup(allows),
      },
      (incoming) => {
        const chunks: Buffer[] = []
        let size = 0
        const finish = () =>
          done({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks).subarray(0, maxBytes),
            url: url.href,
          })
        if (cutsLongAnswers) finishCut = finish
        const cutOff = () => {
          if (cutsLongAnswers) finish()
          else fail(new OutboundRefused('too-large', `it has more than ${maxBytes} bytes`))
          incoming.destroy()
        }
        incoming.on('error', refuse)
        if (!cutsLongAnswers && Number(incoming.headers['content-length']) > maxBytes) return cutOff()
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          if (size > maxBytes) cutOff()
        })
        incoming.on('end', finish)
      },
    )
    outgoing.on('error', refuse)
    outgoing.end(body)
  })
}

function asOutbound(error: unknown, signal: AbortSignal): Error {
  if (error instanceof OutboundRefused) return error
  if (signal.aborted) return new OutboundFailed('no response in time')
  const parts = error instanceof AggregateError ? error.errors : [error]
  const refused = parts.find((part) => part instanceof OutboundRefused)
  if (refused) return refused
  const codes = parts.map((part) => (part as NodeJS.ErrnoException).code ?? 'the connection broke')
  return new OutboundFailed([...new Set(codes)].join(', '))
}
