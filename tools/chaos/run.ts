import { join } from 'node:path'
import { openPostgres } from '../../server/src/db/client.ts'
import { openEmbedded } from '../../server/src/db/embedded/embedded.ts'
import { startLoop } from '../../server/src/jobs/loop.ts'
import { retry } from '../../server/src/lib/retry.ts'
import type { OwnPostgres } from '../shared/postgres.ts'
import type { SendingShop } from '../shared/sending.ts'
import { makeSendingShops } from '../shared/sending-shops.ts'
import { waitUntil } from '../shared/wait.ts'
import { runDisruptions } from './disruptions.ts'
import { type Form, makePlan, type PlannedSend } from './plan.ts'
import { type ChaosPlatform, startPlatform } from './platform.ts'
import { OPERATOR_TOKEN, startProcesses } from './processes.ts'
import { type Answer, sendAll } from './senders.ts'
import { judge, type Verdict } from './verdict.ts'

export type ChaosRun = {
  form: Form
  seed: number
  /** The folder for the data of the processes and for the embedded database. */
  folder: string
  /** An empty database on PostgreSQL; absent, the embedded one is used. */
  databaseUrl: string | undefined
  /** The server of that database, if it may be restarted. */
  own?: OwnPostgres
  say(line: string): void
}

const LOOK_EVERY_MS = 500
const OPERATOR_LOOKS_EVERY_MS = 2_000
const DRAIN_WITHIN_MS = 180_000
const CHECKS_AT_ONCE = 16
const READ_PAUSES_MS = Array<number>(19).fill(200)

/**
 * Sends during the disruptions, waits for messages that can still end, and judges. It stops everything that it started,
 * except for the database on PostgreSQL.
 */
export async function runChaos(run: ChaosRun): Promise<Verdict> {
  const { form, seed, folder, databaseUrl, say } = run
  const plan = makePlan(form, seed, databaseUrl !== undefined)
  const startedAt = performance.now()
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
  const platform = await startPlatform(form, seed)
  const processes = await startProcesses({
    folder,
    count: databaseUrl === undefined ? 1 : form.processes,
    databaseUrl,
    platformUrl: platform.url,
    policies: plan.policies,
  }).catch(async (error: unknown) => {
    await platform.close()
    throw error
  })
  let stopOperator = async () => {}
  try {
    const { urls } = processes
    platform.sendEventsTo(processes.urlsUp)
    const shops = await makeSendingShops(urls[0]!, OPERATOR_TOKEN, form.shops)
    say(`${urls.length} processes, ${shops.length} shops after ${seconds()}`)

    await platform.setFaults(form.faults)
    const look = { everyMs: OPERATOR_LOOKS_EVERY_MS, failed: () => {} }
    stopOperator = startLoop(look, () => platform.switchWebhooksOn())
    const over = new AbortController()
    const victims = { platform, processes, databaseUrl, own: run.own }
    const [answers, made] = await Promise.all([
      sendAll(urls, shops, plan.sends)
        .then(async (answered) => {
          await waitForBatches(urls, shops, plan.sends, answered)
          return answered
        })
        .finally(() => over.abort()),
      runDisruptions(victims, plan.disruptions, over.signal),
    ])
    await platform.setFaults(0)
    const counts = [...made.counts].map(([name, n]) => `${n} × ${name}`).join(', ')
    say(`all answered and handed over after ${seconds()}: ${counts}`)

    await waitForTheEnd(urls, shops, platform, form.settleMs)
    const hidden = await findHidden(urls, shops, plan.sends, answers)
    say(`settled as far as it goes after ${seconds()}`)
    await processes.stop()
    const taken = { copies: await platform.copies(), billedVnd: await platform.billedVnd() }
    const database =
      databaseUrl === undefined ? await openEmbedded(join(folder, 'data-0', 'pg')) : openPostgres(databaseUrl)
    try {
      const verdict = await judge(database.db, plan.sends, answers, taken)
      verdict.problems.push(...hidden, ...processes.problems)
      if (made.missing > 0) verdict.problems.push(`${made.missing} planned disruptions did not come about`)
      say(`judged after ${seconds()}`)
      return verdict
    } finally {
      await database.close()
    }
  } finally {
    await stopOperator()
    await processes.remove()
    await platform.close()
  }
}

type Progress = {
  queued: number
  sending: number
  received: number
  error: number
  unknown: number
  cancelled: number
}

/** Waits until no batch has queued messages; those that a dead process had in progress are settled later. */
async function waitForBatches(
  urls: string[],
  shops: SendingShop[],
  sends: PlannedSend[],
  answers: Map<string, Answer>,
): Promise<void> {
  const until = performance.now() + DRAIN_WITHIN_MS
  for (const send of sends) {
    const id = answers.get(send.key)?.id
    if (send.kind !== 'batch' || id === undefined) continue
    const isSent = async () => (await progressOf(urls, shops[send.shop]!, id))?.queued === 0
    if (!(await waitUntil(isSent, { everyMs: LOOK_EVERY_MS, withinMs: until - performance.now() }))) return
  }
}

/** Waits until no shop holds money and no event is pending, for at most `withinMs`. */
async function waitForTheEnd(
  urls: string[],
  shops: SendingShop[],
  platform: ChaosPlatform,
  withinMs: number,
): Promise<void> {
  const isOver = async () => {
    const wallets = await Promise.all(
      shops.map((shop) => read<{ held: number }>(urls, shop, '/api/external/wallet')),
    )
    return wallets.every((wallet) => wallet?.held === 0) && (await platform.eventsToCome()) === 0
  }
  await waitUntil(isOver, { everyMs: LOOK_EVERY_MS, withinMs })
}

/** Acknowledged requests that are not visible: a message without a state, a batch that does not add up. */
async function findHidden(
  urls: string[],
  shops: SendingShop[],
  sends: PlannedSend[],
  answers: Map<string, Answer>,
): Promise<string[]> {
  const hidden: string[] = []
  const open = sends.filter(({ key }) => answers.get(key)?.status === 202)
  async function look(): Promise<void> {
    for (let send = open.pop(); send !== undefined; send = open.pop()) {
      const shop = shops[send.shop]!
      const id = answers.get(send.key)!.id!
      if (send.kind === 'batch') {
        const progress = await progressOf(urls, shop, id)
        const shown = Object.values(progress ?? {}).reduce((sum, n) => sum + n, 0)
        if (shown !== send.messages.length) hidden.push(`batch ${send.key} shows ${shown} of its messages`)
      } else {
        const path = `/api/external/notify-message/messages/${id}`
        const message = await read<{ data: { status?: string } }>(urls, shop, path)
        if (message?.data.status === undefined) hidden.push(`${send.key} cannot be seen as ${id}`)
      }
    }
  }
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, look))
  return hidden
}

async function progressOf(urls: string[], shop: SendingShop, id: string): Promise<Progress | undefined> {
  const path = `/api/external/notify-message/batches/${id}`
  return (await read<{ data: { progress: Progress } }>(urls, shop, path))?.data.progress
}

/** The response of any process, or undefined if none responds. */
async function read<Answer>(urls: string[], shop: SendingShop, path: string): Promise<Answer | undefined> {
  let tries = 0
  const ask = async () => {
    const answer = await fetch(urls[tries++ % urls.length]! + path, {
      headers: { 'x-api-key': `service-partner ${shop.apiKey}` },
      signal: AbortSignal.timeout(10_000),
    })
    if (!answer.ok) throw new Error(`${answer.status}`)
    return (await answer.json()) as Answer
  }
  // A process may be killed or frozen.
  return retry(READ_PAUSES_MS, ask).catch(() => undefined)
}
