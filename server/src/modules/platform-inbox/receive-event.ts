import type { Deps } from '../../deps.ts'
import { Unauthorized } from '../../errors.ts'
import { accountsNamed, UNNAMED, UNREADABLE } from '../../platform/inbound.ts'
import { asRecord, asText, parseWireJson } from '../../platform/wire.ts'
import { findSigner } from './find-signer.ts'
import type { Inbox } from './inbox.ts'

const MAX_NAME = 200

/** `oaId`: the official account whose own address it came to; undefined at the address for all accounts of an app. */
export type ReceivedEvent = { oaId: string | undefined; rawBody: Buffer; signature: string | undefined }

/**
 * Puts an event into the inbox, due at once; nothing else is done while the platform waits for its answer (2 s). The
 * same event may come several times: each is stored, and the work is idempotent. What names no event is how the platform
 * checks an address that is being saved: it needs no signature, and nothing is stored. Nor is anything of an account that no
 * shop has linked: refused, it would come again and again, until the platform switches the events of the whole app off.
 * @throws Unauthorized, with nothing stored, unless it is signed with a secret of its account's app, and came to the address
 *   of its account or to that of all. An account that was linked without credentials belongs to the simulator, while no
 *   platform is configured.
 */
export async function receivePlatformEvent(
  deps: Pick<Deps, 'ids' | 'clock' | 'secrets' | 'simulatorSecret' | 'log'>,
  inbox: Inbox,
  { oaId, rawBody, signature }: ReceivedEvent,
): Promise<void> {
  const text = rawBody.toString()
  const fields = readFields(text)
  const named = accountsNamed(fields)
  const isOfAnother = oaId !== undefined && named.length > 0 && !named.includes(oaId)
  if (isOfAnother) deps.log.warn({ oaId, named }, 'an event came to the address of another official account')
  const accounts = oaId === undefined ? named : [oaId]
  const signer =
    signature === undefined || isOfAnother
      ? undefined
      : await findSigner(deps, inbox, { rawBody, fields, signature }, accounts)
  if (signer === undefined) {
    if (isAddressCheck(fields, text)) return
    throw new Unauthorized('signature')
  }
  if (signer === 'nobody') {
    if (oaId !== undefined) throw new Unauthorized('signature')
    deps.log.info({ named }, 'an event of an official account that no shop has linked is not stored')
    return
  }
  await inbox.put({
    id: deps.ids.next(),
    oaId: signer.oaId,
    name: nameOf(fields),
    body: storable(rawBody, text, fields),
    now: deps.clock.now(),
  })
}

/** The event's bytes as `receivePlatformEvent` stored them, as far as they could be read as JSON. */
export function storedEvent(body: string): string {
  const { base64 } = asRecord(JSON.parse(body))
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : body
}

type Fields = Record<string, unknown>

/** The event's fields, none if it is not an object; undefined if it is not JSON. */
function readFields(text: string): Fields | undefined {
  try {
    return asRecord(parseWireJson(text))
  } catch {
    return undefined
  }
}

/** Whether the platform only looks whether somebody answers here; what has become unreadable may have been an event. */
function isAddressCheck(fields: Fields | undefined, text: string): boolean {
  return fields === undefined ? !text.includes('event') : eventName(fields) === undefined
}

function eventName(fields: Fields | undefined): string | undefined {
  return asText(fields?.event_name) ?? asText(fields?.event)
}

function nameOf(fields: Fields | undefined): string {
  const name = eventName(fields) ?? (fields === undefined ? UNREADABLE : UNNAMED)
  return name.replace(/\p{C}/gu, '').slice(0, MAX_NAME)
}

/**
 * The event as JSON text the database takes. Text that is not JSON, or contains escapes that jsonb refuses (NUL,
 * surrogates), is stored byte by byte instead.
 */
function storable(rawBody: Buffer, text: string, fields: Fields | undefined): string {
  const isRefused = fields === undefined || /\\u(0000|d[89a-f])/i.test(text)
  return isRefused ? JSON.stringify({ base64: rawBody.toString('base64') }) : text
}
