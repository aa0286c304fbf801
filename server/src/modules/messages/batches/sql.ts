import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { FieldRule, RuleValues } from '../../../field-rules.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { isSuspended } from '../../shops/suspended-sql.ts'
import type { Channel } from '../rules.ts'
import type { WaitingReason } from './queue-sql.ts'
import type { DueBatch } from './rules.ts'

/**
 * A message that was not accepted: its index in the request, and why. A refusal by the shop's rules has its code and a text in
 * the caller's language; an invalid field has the broken rule and a text in English. Older rows have no `rule`.
 */
export type RefusedRow = {
  index: number
  message: string
  code?: string
  keys?: string[]
  rule?: FieldRule
  values?: RuleValues
  /** Only in a batch to an audience. */
  customerId?: ObjectId
}

export type BatchRow = {
  id: ObjectId
  name: string
  template_id: ObjectId
  is_test: boolean
  audience_id: ObjectId | null
  /** The customer after whom the next batch to the audience continues; null at the end. */
  audience_next: ObjectId | null
  accepted: number
  refused_count: number
  scheduled_at: Date | null
  due_at: Date
  waiting_reason: WaitingReason | null
  cancelled_at: Date | null
  created_at: Date
  updated_at: Date
  queued: number
  sending: number
  received: number
  error: number
  unknown: number
  cancelled: number
  /** Of `error`, those with an expired one-time password. */
  otp_expired: number
}

/**
 * Adds a batch, and locks its official account against unlinking until the transaction ends. @returns false, with nothing added,
 * if the account is no longer linked.
 */
export async function insertBatch(
  trx: Db,
  shopId: ObjectId,
  batch: {
    id: ObjectId
    name: string
    templateId: ObjectId
    oaId: string
    channels: Channel[]
    priority: number
    accepted: number
    refused: RefusedRow[]
    scheduledAt: Date | null
    isTest: boolean
    audience: { id: ObjectId; next: ObjectId | null } | undefined
    now: Date
  },
): Promise<boolean> {
  const { accepted, refused, scheduledAt, audience, now } = batch
  const { rows } = await sql`
    insert into message_batches
      (shop_id, id, name, template_id, oa_id, channels, priority, accepted, refused_count, refused, scheduled_at,
      is_open, due_at, is_test, audience_id, audience_next, created_at, updated_at)
    select ${shopId}, ${batch.id}, ${batch.name}, ${batch.templateId}, oa.oa_id, ${batch.channels}::text[],
      ${batch.priority}::smallint, ${accepted}::integer, ${refused.length}::integer, ${JSON.stringify(refused)}::jsonb,
      ${scheduledAt}::timestamptz, ${accepted > 0}::boolean, ${scheduledAt ?? now}::timestamptz, ${batch.isTest}::boolean,
      ${audience?.id ?? null}, ${audience?.next ?? null}, ${now}::timestamptz, ${now}::timestamptz
    from official_accounts oa
    where oa.shop_id = ${shopId} and oa.oa_id = ${batch.oaId}
    for key share
    returning id`.execute(trx)
  return rows.length > 0
}

const COLUMNS = sql`b.id, b.name, b.template_id, b.is_test, b.audience_id, b.audience_next, b.accepted, b.refused_count, b.scheduled_at, b.due_at,
  b.waiting_reason, b.cancelled_at, b.created_at, b.updated_at, n.queued, n.sending, n.received, n.error, n.unknown,
  n.cancelled, n.otp_expired`

/** The lateral join that counts a batch's messages by state, from index messages_by_batch alone. */
const COUNTED = sql`
    cross join lateral (
      select count(*) filter (where m.state = 'QUEUED') as queued,
        count(*) filter (where m.state in ('SENDING', 'FALLBACK')) as sending,
        count(*) filter (where m.state = 'RECEIVED') as received,
        count(*) filter (where m.state = 'ERROR' and m.error_code <> 'CANCELLED') as error,
        count(*) filter (where m.state = 'UNKNOWN') as unknown,
        count(*) filter (where m.state = 'ERROR' and m.error_code = 'CANCELLED') as cancelled,
        count(*) filter (where m.state = 'ERROR' and m.error_code = 'OTP_EXPIRED') as otp_expired
      from messages m
      where m.shop_id = b.shop_id and m.batch_id = b.id
    ) as n`

/** One page of a shop's batches, newest first (G-27). Index message_batches_by_created. */
export async function listBatches(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ batches: BatchRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and id = any(${ids}::text[])`
  const { rows } = await sql<BatchRow & { cursor_key: number }>`
    select ${COLUMNS}, ${microseconds(sql`b.created_at`)} as cursor_key
    from (
      select *
      from message_batches
      where shop_id = ${shopId}${among}${rowsAfter(sql`created_at`, sql`id`, after)}
      order by created_at desc, id desc
      limit ${limit + 1}
      offset ${offset}
    ) as b ${COUNTED}
    order by b.created_at desc, b.id desc`.execute(db)
  const { page: batches, hasMore, last } = pageOf(rows, limit)
  return { batches, hasMore, last }
}

export async function findBatch(
  db: Db,
  shopId: ObjectId,
  batchId: ObjectId,
): Promise<(BatchRow & { refused: RefusedRow[] }) | undefined> {
  const { rows } = await sql<BatchRow & { refused: RefusedRow[] }>`
    select ${COLUMNS}, b.refused
    from message_batches b ${COUNTED}
    where b.shop_id = ${shopId} and b.id = ${batchId}`.execute(db)
  return rows[0]
}

/**
 * Marks a batch as cancelled, closes it and locks it until the transaction ends: no message is requeued in it afterwards.
 * @returns false when the shop has no such batch. A batch that was cancelled before stays as it was.
 */
export async function cancelBatch(trx: Db, shopId: ObjectId, batchId: ObjectId, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update message_batches
    set cancelled_at = coalesce(cancelled_at, ${now}), is_open = false, waiting_reason = null,
      updated_at = case when cancelled_at is null then ${now} else updated_at end
    where shop_id = ${shopId} and id = ${batchId}
    returning id`.execute(trx)
  return rows.length > 0
}

/**
 * Reopens a batch for a message that is requeued; with `pause`, none of its messages is sent before the pause ends. @returns
 * false if the batch was cancelled: then no message is requeued.
 */
export async function reopenBatch(
  trx: Db,
  shopId: ObjectId,
  batchId: ObjectId,
  { pause, now }: { pause: { until: Date; reason: WaitingReason } | undefined; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update message_batches
    set is_open = true, revision = revision + 1, updated_at = ${now}, ${
      pause === undefined
        ? sql`due_at = case when is_open then due_at else ${now} end`
        : sql`due_at = greatest(due_at, ${pause.until}), waiting_reason = ${pause.reason}`
    }
    where shop_id = ${shopId} and id = ${batchId} and cancelled_at is null
    returning id`.execute(trx)
  return rows.length > 0
}

/** Closes a batch whose queued messages end in the same transaction, and locks it until then. */
export async function closeBatch(trx: Db, shopId: ObjectId, batchId: ObjectId, now: Date): Promise<void> {
  await sql`
    update message_batches
    set is_open = false, waiting_reason = null, updated_at = ${now}
    where shop_id = ${shopId} and id = ${batchId}`.execute(trx)
}

/** The most batches that a round reads of each shop, and of all shops: it has far fewer slots. */
const DUE_OF_A_SHOP = 4
const DUE_OF_ALL = 1_000

/**
 * The batches of all shops with messages that are due: the first few of each shop, those with one-time passwords first, then
 * those that have been due longest. Index message_batches_due.
 */
export async function listDueBatches(db: Db, now: Date): Promise<DueBatch[]> {
  const { rows } = await sql<DueBatch>`
    select shop_id as "shopId", id as "batchId", oa_id as "oaId", channels, priority, revision,
      greatest(created_at, scheduled_at) as "startedAt", waiting_reason as "waitingReason"
    from (
      select shop_id, id, oa_id, channels, priority, revision, created_at, scheduled_at, waiting_reason,
        row_number() over (partition by shop_id order by priority, due_at, id) as turn
      from message_batches
      where is_open and due_at <= ${now} and not ${isSuspended(sql`message_batches.shop_id`)}
    ) as due
    where turn <= ${DUE_OF_A_SHOP}
    order by turn, priority, shop_id
    limit ${DUE_OF_ALL}`.execute(db)
  return rows
}

/** Records that a due batch no longer waits for its account's owner. */
export async function endWaiting(db: Db, shopId: ObjectId, batchId: ObjectId, now: Date): Promise<void> {
  await sql`
    update message_batches
    set waiting_reason = null, updated_at = ${now}
    where shop_id = ${shopId} and id = ${batchId} and due_at <= ${now}
      and waiting_reason in ('PLATFORM_MONEY', 'ACCOUNT_DISCONNECTED')`.execute(db)
}

/**
 * The CTE `locked`: those of the named batches that are open, locked in the order of their ids, so that two statements that
 * change several batches cannot deadlock.
 */
function lockInOrder(batches: { shopId: ObjectId; batchId: ObjectId }[]): RawBuilder<unknown> {
  const named = batches.map(({ shopId, batchId }) => ({ shopId, batchId }))
  return sql`locked as materialized (
      select b.shop_id, b.id
      from message_batches b
      join jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named ("shopId" text, "batchId" text)
        on b.shop_id = named."shopId" and b.id = named."batchId"
      where b.is_open
      order by b.shop_id, b.id
      for update of b
    )`
}

/** Pauses open batches, each until its own time. */
export async function pauseBatches(
  db: Db,
  pauses: { shopId: ObjectId; batchId: ObjectId; until: Date }[],
  { reason, now }: { reason: WaitingReason; now: Date },
): Promise<void> {
  if (pauses.length === 0) return
  await sql`
    with ${lockInOrder(pauses)}
    update message_batches b
    set due_at = greatest(b.due_at, pause.until), waiting_reason = ${reason}, updated_at = ${now}
    from locked
    join jsonb_to_recordset(${JSON.stringify(pauses)}::jsonb)
      as pause ("shopId" text, "batchId" text, until timestamptz)
      on pause."shopId" = locked.shop_id and pause."batchId" = locked.id
    where b.shop_id = locked.shop_id and b.id = locked.id and b.is_open`.execute(db)
}

/**
 * Makes a shop's open batches due that wait for this reason to send through this official account, with their messages that wait
 * for it. Indexes message_batches_due and messages_queued.
 */
export async function endWaits(
  db: Db,
  shopId: ObjectId,
  oaId: string,
  { reason, now }: { reason: 'PLATFORM_UNAVAILABLE' | 'ACCOUNT_DISCONNECTED'; now: Date },
): Promise<void> {
  await sql`
    with locked as materialized (
      select id
      from message_batches
      where shop_id = ${shopId} and oa_id = ${oaId} and is_open and waiting_reason = ${reason} and due_at > ${now}
      order by id
      for update
    ), due as (
      update messages m
      set not_before = ${now}, updated_at = ${now}
      from locked
      where m.shop_id = ${shopId} and m.batch_id = locked.id and m.state = 'QUEUED'
        and m.waiting_reason = ${reason} and m.not_before > ${now}
    )
    update message_batches b
    set due_at = ${now}, updated_at = ${now}
    from locked
    where b.shop_id = ${shopId} and b.id = locked.id`.execute(db)
}

/**
 * Updates batches that had fewer messages than were asked for: a batch without queued messages is closed, any other waits for its
 * next message. A batch that was reopened since it was read (`revision`) is left alone.
 */
export async function restBatches(
  db: Db,
  batches: { shopId: ObjectId; batchId: ObjectId; revision: number }[],
  now: Date,
): Promise<void> {
  if (batches.length === 0) return
  await sql`
    with ${lockInOrder(batches)}
    update message_batches b
    set is_open = next.id is not null, due_at = coalesce(next.not_before, b.due_at),
      waiting_reason = case when next.not_before > ${now} then next.waiting_reason end, updated_at = ${now}
    from locked
    join jsonb_to_recordset(${JSON.stringify(batches)}::jsonb)
      as short ("shopId" text, "batchId" text, revision int)
      on short."shopId" = locked.shop_id and short."batchId" = locked.id
    left join lateral (
      select m.id, m.not_before, m.waiting_reason
      from messages m
      where m.shop_id = locked.shop_id and m.batch_id = locked.id and m.state = 'QUEUED'
      order by m.not_before nulls first
      limit 1
    ) as next on true
    where b.shop_id = locked.shop_id and b.id = locked.id and b.revision = short.revision and b.is_open`.execute(
    db,
  )
}

/**
 * Takes up to `want` calls from the allowance that all processes share, after deducting `debt` for calls that were made without
 * asking. Within any minute it grants `ratePerMinute`: a twentieth at once, the rest as time goes by. @returns how many.
 */
export async function takeCalls(
  db: Db,
  { want, debt, ratePerMinute }: { want: number; debt: number; ratePerMinute: number },
): Promise<number> {
  const burst = Math.max(1, Math.floor(ratePerMinute / 20))
  const perSecond = Math.max(1, ratePerMinute - burst) / 60
  const left = sql`greatest(-${ratePerMinute}::float8, least(${burst}::float8, tokens
    + greatest(0, extract(epoch from now() - refilled_at))::float8 * ${perSecond}::float8) - ${debt}::float8)`
  const given = sql`greatest(0, least(${want}::float8, floor(${left})))`
  const { rows } = await sql<{ taken: number }>`
    update platform_pace
    set tokens = ${left} - ${given}, taken = ${given}, refilled_at = greatest(refilled_at, now())
    where name = 'send'
    returning taken`.execute(db)
  return rows[0]?.taken ?? 0
}
