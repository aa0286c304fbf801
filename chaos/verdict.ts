import { sql } from 'kysely'
import { checkInvariants } from '../server/test/support/invariants.ts'
import type { PlatformMessage, Run } from './run.ts'
import type { Answer } from './senders.ts'

type Stored = { id: string; state: string; fee: number; phone: string; attempts: number }

/** Compares what the partners were told, what the database holds and what the platform took. */
export async function judge(
  run: Run,
  answers: Map<string, Answer>,
  onPlatform: PlatformMessage[],
  say: (line: string) => void,
): Promise<string[]> {
  const problems: string[] = []
  const database = await run.openDatabase()
  try {
    await checkInvariants(database.db).catch((error: unknown) => problems.push(String(error)))
    const { rows } = await sql<Stored>`select id, state, fee, phone, 1 as attempts from messages`.execute(
      database.db,
    )
    const stored = new Map(rows.map((row) => [row.id, row]))
    const taken = new Map<string, PlatformMessage[]>()
    for (const one of onPlatform) taken.set(one.tracking_id, [...(taken.get(one.tracking_id) ?? []), one])

    const byState = Map.groupBy(rows, (row) => row.state)
    say(`messages: ${[...byState].map(([state, list]) => `${list.length} ${state}`).join(', ')}`)
    const byAnswer = Map.groupBy(answers.values(), (answer) => answer.status)
    say(`answers: ${[...byAnswer].map(([status, list]) => `${list.length} × ${status}`).join(', ')}`)

    for (const [key, answer] of answers) {
      if (answer.status === 0) problems.push(`${key} was never answered`)
      if (answer.messageId !== undefined && !stored.has(answer.messageId)) {
        problems.push(`${key} was acknowledged as ${answer.messageId}, which is not there`)
      }
    }
    const phones = Map.groupBy(rows, (row) => row.phone)
    for (const [phone, list] of phones) {
      const alive = list.filter((row) => row.state !== 'ERROR')
      if (alive.length > 1)
        problems.push(`${phone} has ${alive.length} messages: ${alive.map((row) => row.id)}`)
    }
    let billed = 0
    let captured = 0
    const open: string[] = []
    for (const [id, list] of taken) {
      const row = stored.get(id)
      if (row === undefined) problems.push(`the platform took ${id}, which is not there`)
      if (list.length > 1) problems.push(`the platform took ${id} ${list.length} times`)
      billed += list.reduce((sum, one) => sum + one.chargeVnd, 0)
      if (row?.state === 'ERROR') problems.push(`${id} is an error here and was taken by the platform`)
      if (row?.state === 'UNKNOWN' || row?.state === 'SENDING') open.push(`${id} ${row.state} ${row.fee}`)
    }
    for (const row of rows) {
      if (row.state !== 'RECEIVED') continue
      captured += row.fee
      if (!taken.has(row.id)) problems.push(`${row.id} is received here and was never taken by the platform`)
    }
    const openFees = open.reduce((sum, line) => sum + Number(line.split(' ')[2]), 0)
    say(
      `captured ${captured} đồng, the platform bills ${billed}: ${open.length} taken messages are still open (${openFees} đồng held)`,
    )
    if (billed !== captured + openFees)
      problems.push(`${billed - captured - openFees} đồng are not explained`)
  } finally {
    await database.close()
  }
  return problems
}
