import type { Deps } from '../../../deps.ts'
import { NotFound, Refused } from '../../../errors.ts'
import type { Edit } from '../../../lib/edit.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { changesOf, type Origin } from '../../audit/rules.ts'
import { insertAuditEntry } from '../../audit/sql.ts'
import { assertVersion } from '../../concurrent-edits/assert-version.ts'
import type { Claim } from '../../idempotency/hook.ts'
import { noteDone } from '../../idempotency/sql.ts'
import { giveUpPending } from '../delivery/sql.ts'
import { handOutEventsOf } from '../outbox/hand-out-sql.ts'
import { MAX_ENDPOINTS, newSecret, OLD_SECRET_MS, withoutQuery } from './rules.ts'
import {
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  rotateSecret,
  updateEndpoint,
} from './sql.ts'

/**
 * The number of events that are handed out before an endpoint changes. Events of a longer backlog are handed out to the
 * changed endpoint.
 */
const HANDED_OUT_BEFORE = 1_000

type Parts = Pick<Deps, 'db' | 'ids' | 'clock' | 'secrets'>

/** Registers an endpoint, with its audit entry (G-62). @throws Refused WEBHOOK_LIMIT. */
export async function createEndpoint(
  { db, ids, clock, secrets }: Parts,
  shopId: ObjectId,
  { id, url, events }: Pick<EndpointRow, 'id' | 'url' | 'events'>,
  origin: Origin,
): Promise<EndpointRow> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const made = { id, url, events, secret: secrets.seal(newSecret()), now }
    const row = await insertEndpoint(trx, shopId, made, MAX_ENDPOINTS)
    if (row === undefined) throw new Refused('WEBHOOK_LIMIT', { max: MAX_ENDPOINTS })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'webhook.create',
      target: { endpointId: id },
      detail: { ...noted(row), url: withoutQuery(url) },
      now,
    })
    return row
  })
}

/**
 * Changes, enables or disables an endpoint; undefined fields stay unchanged (G-62). What is pending for a disabled
 * endpoint is not delivered.
 * @throws NotFound; RecordChanged
 */
export async function changeEndpoint(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  id: ObjectId,
  asked: Omit<Parameters<typeof updateEndpoint>[3], 'by' | 'now'>,
  origin: Origin,
  edit: Edit,
): Promise<EndpointRow> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const before = await lockEndpoint(trx, shopId, id)
    if (before === undefined) throw new NotFound('webhook')
    await assertVersion(trx, shopId, 'webhook_endpoints', before, edit)
    // Events written before the change go to the endpoint as it was.
    if (asked.events !== undefined || asked.isEnabled) await handOutEventsOf(trx, shopId, HANDED_OUT_BEFORE)
    const row = (await updateEndpoint(trx, shopId, id, { ...asked, by: edit.by, now }))!
    if (asked.isEnabled === false) await giveUpPending(trx, shopId, id)
    const { url, ...others } = changesOf(noted(before), noted(row))
    const urls = url && { url: [withoutQuery(before.url), withoutQuery(row.url)] }
    if (url !== undefined || Object.keys(others).length > 0) {
      await insertAuditEntry(trx, shopId, {
        id: ids.next(),
        origin,
        action: 'webhook.update',
        target: { endpointId: id },
        detail: { ...urls, ...others },
        now,
      })
    }
    return row
  })
}

/** Deletes an endpoint; what is pending for it is not delivered (G-62). @throws NotFound */
export async function removeEndpoint(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  id: ObjectId,
  origin: Origin,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const before = await lockEndpoint(trx, shopId, id)
    if (before === undefined) throw new NotFound('webhook')
    await deleteEndpoint(trx, shopId, id, now)
    await giveUpPending(trx, shopId, id)
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'webhook.delete',
      target: { endpointId: id },
      detail: { url: withoutQuery(before.url) },
      now,
    })
  })
}

/**
 * Gives an endpoint a new secret; the old one also signs until `old_secret_until` (G-62). If an earlier attempt with its key did
 * so, the secret stays (G-10).
 * @throws NotFound
 */
export async function renewSecret(
  { db, ids, clock, secrets }: Parts,
  shopId: ObjectId,
  id: ObjectId,
  origin: Origin,
  claim: Claim | undefined,
): Promise<EndpointRow> {
  const now = clock.now()
  const oldSecretUntil = new Date(now.getTime() + OLD_SECRET_MS)
  return db.transaction().execute(async (trx) => {
    const isFirst = await noteDone(trx, shopId, claim)
    const rotation = { secret: secrets.seal(newSecret()), oldUntil: oldSecretUntil, now }
    const endpoint = isFirst
      ? await rotateSecret(trx, shopId, id, rotation)
      : await findEndpoint(trx, shopId, id)
    if (endpoint === undefined) throw new NotFound('webhook')
    if (!isFirst) return endpoint
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'webhook.rotate_secret',
      target: { endpointId: id },
      detail: { oldSecretUntil },
      now,
    })
    return endpoint
  })
}

/** The changeable fields of an endpoint, as the audit log shows them. */
function noted({ url, events, disabled_at: disabledAt }: EndpointRow) {
  return { url, events: events.join(' '), enabled: disabledAt === null }
}
