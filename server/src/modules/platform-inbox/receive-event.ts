import type { Deps } from '../../deps.ts'
import { Unauthorized } from '../../errors.ts'
import { UNNAMED, UNREADABLE } from '../../platform/chatapp/inbound.ts'
import { asRecord } from '../../platform/chatapp/wire.ts'
import type { InboundRequest } from '../../platform/provider.ts'
import { PROTOCOLS } from '../../platform/providers.ts'
import { findSigner } from './find-signer.ts'
import type { Inbox } from './inbox.ts'

const MAX_NAME = 200
const MAX_LOGGED = 64

/** `oaId`: the official account at whose own address the event arrived; undefined at the address for all accounts of an app. */
export type ReceivedEvent = InboundRequest & { oaId: string | undefined }

/**
 * Puts an event into the inbox, due at once; nothing else is done while the platform waits for its response (2 s). The same event
 * may come several times: each copy is stored, and processing is idempotent. A request that names no event is how the platform
 * checks an address that is being saved: it needs no signature, and nothing is stored. Nothing is stored either for an account
 * that no shop has linked: if its events were refused, the platform would send them again and again, and then switch off the
 * events of the whole app.
 * @throws Unauthorized, with nothing stored, unless the event is signed with a secret of its account's app and arrived at the
 * address of its account or at the address for all. An account that was linked without credentials belongs to the simulator while
 * no platform is configured.
 */
export async function receivePlatformEvent(
  deps: Pick<Deps, 'ids' | 'clock' | 'secrets' | 'simulatorSecret' | 'log'>,
  inbox: Inbox,
  { oaId, ...request }: ReceivedEvent,
): Promise<void> {
  const { rawBody } = request
  const text = rawBody.toString()
  const { inbound } = PROTOCOLS.chatapp
  const eventName = inbound.eventName(request)
  const isReadable = inbound.isReadable(request)
  const named = inbound.accountsNamed(request)
  // Anybody may send names of any length.
  const shown = named.map((name) => name.slice(0, MAX_LOGGED))
  const isOfAnother = oaId !== undefined && named.length > 0 && !named.includes(oaId)
  if (isOfAnother) {
    const address = { oaId: oaId.slice(0, MAX_LOGGED), named: shown }
    deps.log.warn(address, 'an event arrived at the address of another official account')
  }
  const accounts = oaId === undefined ? named : [oaId]
  const signer =
    !inbound.isSigned(request) || isOfAnother ? undefined : await findSigner(deps, inbox, request, accounts)
  if (signer === undefined) {
    // An unreadable body may have been an event.
    if (isReadable ? eventName === undefined : !text.includes('event')) return
    throw new Unauthorized('signature')
  }
  if (signer === 'nobody') {
    if (oaId !== undefined) throw new Unauthorized('signature')
    deps.log.info({ named: shown }, 'an event of an official account that no shop has linked is not stored')
    return
  }
  await inbox.put({
    id: deps.ids.next(),
    oaId: signer.oaId,
    name: stored(eventName ?? (isReadable ? UNNAMED : UNREADABLE)),
    body: storable(rawBody, text, isReadable),
    now: deps.clock.now(),
  })
}

/** The event's bytes as `receivePlatformEvent` stored them, as JSON where they could be stored as such. */
export function storedEvent(body: string): string {
  const { base64 } = asRecord(JSON.parse(body))
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : body
}

function stored(name: string): string {
  return name.replace(/\p{C}/gu, '').slice(0, MAX_NAME)
}

/**
 * The event as JSON text that the database accepts. Text that is not JSON, or contains escapes that jsonb refuses (NUL,
 * surrogates), is stored byte by byte instead.
 */
function storable(rawBody: Buffer, text: string, isReadable: boolean): string {
  const isRefused = !isReadable || /\\u(0000|d[89a-f])/i.test(text)
  return isRefused ? JSON.stringify({ base64: rawBody.toString('base64') }) : text
}
