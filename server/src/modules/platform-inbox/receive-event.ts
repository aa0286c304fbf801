import type { Deps } from '../../deps.ts'
import { Unauthorized } from '../../errors.ts'
import { eventTimestamp, UNNAMED, UNREADABLE, verifySignature } from '../../platform/inbound.ts'
import { asRecord, asText, parseWireJson } from '../../platform/wire.ts'
import type { Inbox } from './inbox.ts'
import type { SigningRow } from './sql.ts'

/** The simulator's app, for an official account that was linked without credentials. */
const SIMULATOR_APP = 'simulator'
const MAX_NAME = 200

/**
 * Puts an event into the inbox, due at once; nothing else is done while the platform waits for its answer (2 s). The same event may come several times: each is kept, the work is idempotent.
 * @throws Unauthorized, with nothing stored, unless it is signed with a secret of an official account of this
 * id. One that was linked without credentials belongs to the simulator, while no platform is configured.
 */
export async function receivePlatformEvent(
  deps: Pick<Deps, 'ids' | 'clock' | 'secrets' | 'simulatorSecret'>,
  inbox: Inbox,
  oaId: string,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<void> {
  if (signature === undefined) throw new Unauthorized('signature')
  const text = rawBody.toString()
  const fields = readFields(text)
  const isSignedBy = async (isFresh: boolean) =>
    isSigned(deps, await inbox.signingRows(oaId, isFresh), { rawBody, fields, header: signature })
  if (!(await isSignedBy(false)) && !(await isSignedBy(true))) throw new Unauthorized('signature')
  await inbox.put({
    id: deps.ids.next(),
    oaId,
    name: nameOf(fields),
    body: storable(rawBody, text, fields),
    now: deps.clock.now(),
  })
}

/** The event's bytes from what `receivePlatformEvent` stored, as far as they could be read as JSON. */
export function storedEvent(body: string): string {
  const { base64 } = asRecord(JSON.parse(body))
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : body
}

function isSigned(
  { secrets, simulatorSecret }: Pick<Deps, 'secrets' | 'simulatorSecret'>,
  signingRows: SigningRow[],
  { rawBody, fields, header }: { rawBody: Buffer; fields: Fields | undefined; header: string },
): boolean {
  const ownAppId = asText(fields?.app_id) ?? ''
  const timestamp = eventTimestamp(fields) ?? ''
  for (const row of signingRows) {
    const sealed = [row.webhook_secret, row.secret_key].filter((secret) => secret !== null)
    const known = sealed.map((secret) => ({
      appId: row.app_id ?? ownAppId,
      secret: secrets.open(secret),
    }))
    if (known.length === 0 && simulatorSecret !== undefined)
      known.push({ appId: SIMULATOR_APP, secret: simulatorSecret })
    for (const { appId, secret } of known) {
      if (verifySignature({ appId, secret, rawBody, timestamp, header })) return true
    }
  }
  return false
}

type Fields = Record<string, unknown>

/** The event's fields, none when it is no object; undefined when it is no JSON. */
function readFields(text: string): Fields | undefined {
  try {
    return asRecord(parseWireJson(text))
  } catch {
    return undefined
  }
}

function nameOf(fields: Fields | undefined): string {
  const name =
    asText(fields?.event_name) ?? asText(fields?.event) ?? (fields === undefined ? UNREADABLE : UNNAMED)
  return name.replace(/\p{C}/gu, '').slice(0, MAX_NAME)
}

/**
 * The event as JSON text the database takes. What is no JSON, or escapes characters that jsonb refuses (NUL,
 * surrogates), is kept byte by byte instead.
 */
function storable(rawBody: Buffer, text: string, fields: Fields | undefined): string {
  const isRefused = fields === undefined || /\\u(0000|d[89a-f])/i.test(text)
  return isRefused ? JSON.stringify({ base64: rawBody.toString('base64') }) : text
}
