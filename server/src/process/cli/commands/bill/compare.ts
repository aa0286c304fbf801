import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { BillRow } from './read-bill.ts'

/** What an ended message cost its shop according to the ledger, in đồng. */
export type Charge = {
  shopId: string
  messageId: string
  sessionId: string
  oaId: string
  status: string
  charged: number
  held: number
}

/** `line` is a line of the bill; amounts are in đồng. */
export type Difference =
  | { kind: 'not-in-ledger'; line: number; msgId: string; billed: number }
  | { kind: 'not-on-bill'; shopId: string; messageId: string; msgId: string; charged: number }
  | {
      kind: 'amount' | 'released' | 'held'
      line: number
      shopId: string
      messageId: string
      msgId: string
      billed: number
      charged: number
    }
  | { kind: 'billed-twice'; line: number; firstLine: number; msgId: string; billed: number }

/** The sums of the bill and the ledger, in đồng. */
export type Totals = { messages: number; billed: number; charged: number }

/**
 * Yields the differences between a bill and the ledger (G-74), and returns the totals. Both sides are read only once.
 * The bill is stored in a temporary file; each message of the ledger removes its row there, and rows that remain are
 * not in the ledger. Nothing is yielded before all rows of the bill have been read.
 */
export async function* compareBill(
  bill: AsyncIterable<BillRow>,
  ledger: AsyncIterable<Charge>,
): AsyncGenerator<Difference, Totals> {
  // A temporary file without a name, so a killed process leaves no file behind.
  const file = new DatabaseSync('')
  try {
    file.exec(SCHEMA)
    await store(file, bill)
    const repeated = file.prepare('select * from repeated order by line').iterate() as Iterable<Repeated>
    for (const { line, first_line: firstLine, msg_id: msgId, amount: billed } of repeated)
      yield { kind: 'billed-twice', line, firstLine, msgId, billed }
    const totals = { messages: 0, billed: billedIn(file), charged: 0 }
    const take = rowTaker(file)
    for await (const charge of ledger) {
      totals.messages += 1
      totals.charged += charge.charged
      const difference = differenceOf(take(charge), charge)
      if (difference !== undefined) yield difference
    }
    const left = file
      .prepare('select * from bill where amount > 0 order by line')
      .iterate() as Iterable<Stored>
    for (const { line, msg_id: msgId, amount: billed } of left)
      yield { kind: 'not-in-ledger', line, msgId, billed }
    return totals
  } finally {
    file.close()
  }
}

const SCHEMA = `
  pragma journal_mode = off;
  pragma synchronous = off;
  create table bill (msg_id text primary key, tracking_id text, amount integer, line integer) without rowid;
  create index bill_by_tracking on bill (tracking_id) where tracking_id <> '';
  create table repeated (line integer, first_line integer, msg_id text, amount integer)`

type Stored = { msg_id: string; tracking_id: string; amount: number; line: number }
type Repeated = { line: number; first_line: number; msg_id: string; amount: number }

async function store(file: DatabaseSync, bill: AsyncIterable<BillRow>): Promise<void> {
  const insert = file.prepare('insert into bill values (?, ?, ?, ?) on conflict do nothing')
  const repeat = file.prepare('insert into repeated select ?, line, msg_id, ? from bill where msg_id = ?')
  file.exec('begin')
  for await (const { line, msgId, trackingId, amountVnd } of bill) {
    if (insert.run(msgId, trackingId, amountVnd, line).changes === 0) repeat.run(line, amountVnd, msgId)
  }
  file.exec('commit')
}

function billedIn(file: DatabaseSync): number {
  const sum = file.prepare(
    'select coalesce(sum(amount), 0) as billed from (select amount from bill union all select amount from repeated)',
  )
  return (sum.get() as { billed: number }).billed
}

/** Removes and returns a message's row in the bill, found by the platform's id, else by ours. */
function rowTaker(file: DatabaseSync): (charge: Charge) => Stored | undefined {
  const byId = file.prepare('delete from bill where msg_id = ? returning *')
  // Only one row, so that a message that the platform billed twice is reported.
  const byTracking = file.prepare(
    "delete from bill where msg_id = (select msg_id from bill where tracking_id = ? and tracking_id <> '' order by line limit 1) returning *",
  )
  const first = (statement: StatementSync, id: string) => statement.get(id) as Stored | undefined
  return ({ sessionId, messageId }) =>
    (sessionId === '' ? undefined : first(byId, sessionId)) ?? first(byTracking, messageId)
}

function differenceOf(row: Stored | undefined, charge: Charge): Difference | undefined {
  const { shopId, messageId, sessionId, charged, held } = charge
  if (row === undefined)
    return charged > 0 ? { kind: 'not-on-bill', shopId, messageId, msgId: sessionId, charged } : undefined
  const { msg_id: msgId, amount: billed, line } = row
  if (billed === charged) return undefined
  const kind = charged > 0 ? 'amount' : held > 0 ? 'held' : 'released'
  return { kind, line, shopId, messageId, msgId, billed, charged }
}
