import { sql } from 'kysely'
import type { Db } from '../../server/src/db/client.ts'
import { checkInvariants } from '../shared/invariants.ts'
import { type PlannedMessage, type PlannedSend, SIGNS } from './plan.ts'
import type { PlatformCopy } from './platform.ts'
import type { Answer } from './senders.ts'

/** The verdict on a run: `problems` must be empty. */
export type Verdict = {
  problems: string[]
  /** Where our fees and the platform's bill differ: one line per message. */
  differences: string[]
  /** Messages that have not ended, each with its fee held and shown by the API. */
  pending: string[]
  /** Messages that were resent by policy, and those of them that arrived twice. */
  resent: number
  doubled: string[]
  states: Record<string, number>
  answers: Record<string, number>
  billedVnd: number
  capturedVnd: number
}

type Row = {
  id: string
  key: string
  channel: 'phone' | 'uid'
  state: 'QUEUED' | 'SENDING' | 'UNKNOWN' | 'RECEIVED' | 'ERROR'
  fee: number
  error_code: string | null
  unknown_cause: string | null
  session_id: string
  batch_id: string | null
  is_resent: boolean
  is_late: boolean
  /** From the ledger, in đồng: captured, held, and owed. */
  charged: number
  held: number
  owed: number
}

type Receipt = { tracking_id: string | null; msg_id: string | null; is_open: boolean }

/** One planned message with everything that is known about it. */
type Case = {
  message: PlannedMessage
  send: PlannedSend
  answer: Answer
  rows: Row[]
  copies: PlatformCopy[]
}

const PENDING = new Set(['QUEUED', 'SENDING', 'UNKNOWN'])

/**
 * Compares, message by message, the partner's responses, the database with its ledger, and the messages that the
 * platform accepted and bills. Every difference is explained or a problem.
 */
export async function judge(
  db: Db,
  sends: PlannedSend[],
  answers: Map<string, Answer>,
  platform: { copies: PlatformCopy[]; billedVnd: number },
): Promise<Verdict> {
  const verdict: Verdict = {
    problems: [],
    differences: [],
    pending: [],
    resent: 0,
    doubled: [],
    states: {},
    answers: {},
    billedVnd: platform.billedVnd,
    capturedVnd: 0,
  }
  const { problems } = verdict
  await checkInvariants(db).catch((error: unknown) => problems.push(String(error)))
  const rows = await listMessages(db)
  const receipts = await listReceipts(db)
  for (const { state } of rows) verdict.states[state] = (verdict.states[state] ?? 0) + 1
  for (const { status } of answers.values()) verdict.answers[status] = (verdict.answers[status] ?? 0) + 1
  verdict.capturedVnd = rows.reduce((sum, row) => sum + row.charged, 0)

  const rowsOf = Map.groupBy(rows, (row) => row.key)
  const copiesOf = Map.groupBy(platform.copies, (copy) => copy.params.order_code ?? '')
  let differenceVnd = 0
  for (const send of sends) {
    const answer = answers.get(send.key)!
    problems.push(...brokenPromises(send, answer))
    for (const message of send.kind === 'single' ? [send.message] : send.messages) {
      const one: Case = {
        message,
        send,
        answer,
        rows: rowsOf.get(message.key) ?? [],
        copies: copiesOf.get(message.key) ?? [],
      }
      rowsOf.delete(message.key)
      copiesOf.delete(message.key)
      const problem = problemOf(one)
      if (problem !== undefined) problems.push(`${describe(one)}: ${problem}`)
      differenceVnd += compareMoney(one, receipts, verdict)
    }
  }
  for (const key of rowsOf.keys()) problems.push(`a message ${key} was never asked for`)
  for (const key of copiesOf.keys()) problems.push(`the platform took ${key}, which was never asked for`)
  const unexplained = verdict.billedVnd - verdict.capturedVnd - differenceVnd
  if (unexplained !== 0) problems.push(`${unexplained} đồng of the platform's bill are not explained`)
  return verdict
}

function describe({ message, send, answer, rows, copies }: Case): string {
  const stored = rows.map((row) => `${row.id} ${row.state} ${row.error_code ?? ''}`.trim()).join(', ')
  const answered = `${send.key} answered ${answer.status} ${answer.id ?? ''} after ${answer.tries} tries`
  return `${message.key} to ${message.recipient} (${stored}; ${copies.length} copies; ${answered})`
}

/** Checks what a response says about the request as a whole. */
function brokenPromises(send: PlannedSend, answer: Answer): string[] {
  const { status, code, seen, refused } = answer
  if (status === 0) return [`${send.key} was not answered: ${JSON.stringify(seen)}`]
  if (send.kind === 'batch') {
    if (status !== 202) return [`batch ${send.key} was answered with ${status} ${code}`]
    return refused.length === 0
      ? []
      : [`batch ${send.key} refused rows: ${JSON.stringify(refused.slice(0, 3))}`]
  }
  const isAsExpected = status === 200 || status === 202 || (status === 400 && code === 'PLATFORM_REFUSED')
  return isAsExpected ? [] : [`${send.key} was answered with ${status} ${code}`]
}

/** Finds what must not happen: a message that is lost, duplicated, or different from its response. */
function problemOf({ message, send, answer, rows, copies }: Case): string | undefined {
  const row = latestOf(rows)
  if (rows.filter((one) => !isWithoutEffect(one)).length > 1) return 'there are several messages'
  if (row === undefined) {
    if (copies.length > 0) return 'the platform took it, and it is not here'
    return answer.status === 0 ? undefined : `it was answered with ${answer.status}, and it is not here`
  }
  if (send.kind === 'single') {
    if (answer.id !== undefined && answer.id !== row.id) return `it was acknowledged as ${answer.id}`
    if (answer.status === 200 && row.state !== 'RECEIVED')
      return `it was answered as received and is ${row.state}`
    if (answer.status === 400 && row.state !== 'ERROR')
      return `it was answered as refused and is ${row.state}`
  } else {
    if (row.batch_id !== (answer.id ?? row.batch_id))
      return `it is in batch ${row.batch_id}, not ${answer.id}`
    if (answer.isCancelled && row.state === 'QUEUED') return 'its batch is cancelled, and it is queued'
  }
  const strangers = copies.filter((copy) => copy.channel === 'phone' && copy.tracking_id !== row.id)
  if (strangers.length > 0) return `the platform took it as ${strangers[0]!.tracking_id}`
  if (copies.length > (row.is_resent && row.channel === 'phone' ? 2 : 1))
    return `it has ${copies.length} copies`
  const repeated = copies.find((copy) => copy.deliveredCount > 1)
  if (repeated !== undefined && !message.recipient.endsWith(SIGNS.deliveredTwice)) {
    return `the platform delivered one copy ${repeated.deliveredCount} times`
  }
  return problemOfState({ message, send, answer, rows, copies }, row)
}

/** Whether a message was definitely not sent, or was refused: it may be retried with the same key, as a new message. */
function isWithoutEffect({ state, error_code, is_resent, charged, held }: Row): boolean {
  const isRefused = state === 'ERROR' && /^(NOT_SENT|-\d+)$/.test(error_code ?? '')
  return isRefused && !is_resent && charged === 0 && held === 0
}

/** The one message that counts. */
function latestOf(rows: Row[]): Row | undefined {
  return rows.find((row) => !isWithoutEffect(row)) ?? rows.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]
}

function problemOfState({ message, send, copies }: Case, row: Row): string | undefined {
  const expected = { charged: 0, held: 0 }
  if (PENDING.has(row.state)) expected.held = row.fee
  if (row.state === 'RECEIVED') expected.charged = row.fee
  if (row.charged + row.owed !== expected.charged || row.held !== expected.held) {
    return `${row.state}, its fee is ${row.fee}, charged ${row.charged}, owed ${row.owed}, held ${row.held}`
  }
  if (row.state === 'QUEUED' && copies.length > 0) return 'the platform took it, and it is queued again'
  if (row.state === 'RECEIVED') {
    if (copies.length === 0) return 'it is received here, and the platform never took it'
    if (!copies.some((copy) => copy.msg_id === row.session_id)) return `${row.session_id} is no copy of it`
  }
  if (row.state !== 'ERROR' || row.error_code === 'UNKNOWN_RELEASED') return undefined
  if (row.error_code === 'NOT_SENT')
    return copies.length > 0 ? 'it surely never left, and has a copy' : undefined
  if (row.error_code === 'CANCELLED') {
    const isAskedFor = send.kind === 'batch' && send.cancelAfterMs !== undefined
    if (!isAskedFor) return 'it is cancelled, which nobody asked for'
  } else if (!/^-?\d+$/.test(row.error_code ?? '')) {
    return `it ended with ${row.error_code}`
  } else if (!message.recipient.endsWith(SIGNS.noAccount) && !message.recipient.endsWith(SIGNS.refusesOa)) {
    return `it was refused with ${row.error_code}`
  }
  return copies.length > 0 ? `it ended with ${row.error_code}, and the platform took it` : undefined
}

/**
 * Records why the platform bills a different amount for a message than was captured, and what is pending.
 * @returns the difference in đồng that was explained.
 */
function compareMoney({ rows, copies }: Case, receipts: Receipt[], verdict: Verdict): number {
  const row = latestOf(rows)
  if (row === undefined) return 0
  const billed = copies.reduce((sum, copy) => sum + copy.chargeVnd, 0)
  const name = `${row.key} ${row.id}`
  if (row.is_resent) verdict.resent += 1
  if (copies.length > 1) verdict.doubled.push(`${name}: ${row.unknown_cause}, then resent by policy`)
  if (PENDING.has(row.state)) verdict.pending.push(`${name}: ${row.state}, ${row.held} đồng held`)
  if (billed === row.charged) return 0
  const why = reasonOf(row, copies, receipts)
  if (why === undefined) return 0
  verdict.differences.push(`${name}: billed ${billed}, captured ${row.charged}: ${why}`)
  return billed - row.charged
}

/** Undefined if nothing explains a difference. */
function reasonOf(row: Row, copies: PlatformCopy[], receipts: Receipt[]): string | undefined {
  if (PENDING.has(row.state)) return `${row.state}, its fee is held`
  if (row.state === 'RECEIVED') {
    if (row.owed > 0) return `it came late, ${row.owed} đồng are owed`
    return copies.length === 2 && row.is_resent ? 'handed over twice by policy, charged once' : undefined
  }
  if (row.error_code !== 'UNKNOWN_RELEASED') return undefined
  const ids = new Set(copies.map((copy) => copy.msg_id))
  const known = receipts.find(
    (one) => (one.tracking_id === row.id && row.channel === 'phone') || ids.has(one.msg_id ?? ''),
  )
  const cause = `unknown (${row.unknown_cause}), then released by policy`
  if (copies.every((copy) => copy.deliveredCount === 0)) return `${cause}: the platform has not delivered it`
  if (known === undefined) return `${cause}: no receipt has reached us`
  if (row.channel === 'uid')
    return `${cause}: its receipt names only the platform's id, whose answer was lost`
  return known.is_open ? `${cause}: its receipt is in the inbox` : undefined
}

async function listMessages(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select m.id, m.params ->> 'order_code' as key, m.channel, m.state, m.fee, m.error_code, m.unknown_cause,
      m.session_id, m.batch_id, m.resent_at is not null as is_resent, m.is_late,
      (-coalesce(sum(e.amount + e.held_change), 0))::bigint as charged,
      coalesce(sum(e.held_change), 0)::bigint as held, coalesce(sum(e.owed), 0)::bigint as owed
    from messages m
    left join wallet_entries e on e.shop_id = m.shop_id and e.message_id = m.id
    group by m.shop_id, m.id`.execute(db)
  return rows
}

async function listReceipts(db: Db): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select body -> 'message' ->> 'tracking_id' as tracking_id, body -> 'message' ->> 'msg_id' as msg_id,
      processed_at is null as is_open
    from platform_events
    where name = 'user_received_message'`.execute(db)
  return rows
}
