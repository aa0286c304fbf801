import pg from 'pg'
import type { OwnPostgres } from '../shared/postgres.ts'
import { waitUntil } from '../shared/wait.ts'
import type { Disruption } from './plan.ts'
import type { ChaosPlatform } from './platform.ts'
import type { Processes } from './processes.ts'

const LOOK_EVERY_MS = 50

/**
 * The targets of the planned disruptions. `databaseUrl` is set on PostgreSQL; `own` is a server that may be restarted.
 */
export type Victims = {
  platform: ChaosPlatform
  processes: Processes
  databaseUrl: string | undefined
  own: OwnPostgres | undefined
}

/** How many disruptions of each kind happened, and how many planned ones did not happen before the end. */
export type Made = { counts: Map<string, number>; missing: number }

/** Runs the planned disruptions, each as soon as the platform has accepted the number of messages that it specifies. */
export async function runDisruptions(
  victims: Victims,
  disruptions: Disruption[],
  over: AbortSignal,
): Promise<Made> {
  const counts = new Map<string, number>()
  const goingOn: Promise<unknown>[] = []
  const count = (name: string, n = 1) => counts.set(name, (counts.get(name) ?? 0) + n)
  let missing = disruptions.length
  function begin(work: Promise<unknown>): void {
    // Awaited at the end, so that errors are reported.
    work.catch(() => {})
    goingOn.push(work)
  }
  for (const disruption of disruptions) {
    const isDue = async () => over.aborted || (await victims.platform.taken()) >= disruption.at
    await waitUntil(isDue, { everyMs: LOOK_EVERY_MS })
    if (over.aborted) break
    missing -= 1
    switch (disruption.kind) {
      case 'kill':
        // A restart may take long; the other disruptions continue.
        begin(victims.processes.kill(disruption.processes, disruption.downMs))
        count('SIGKILL', disruption.processes.length)
        break
      case 'freeze':
        begin(victims.processes.freeze(disruption.process, disruption.forMs))
        count('frozen')
        break
      case 'terminate':
        count('connections ended', await terminateConnections(victims.databaseUrl!, disruption))
        break
      case 'restart':
        await victims.own!.restart(disruption.mode)
        count(`PostgreSQL restarts -m ${disruption.mode}`)
        break
      case 'outage':
        await victims.platform.cutAll(disruption.forMs)
        count('outages')
    }
  }
  await Promise.all(goingOn)
  return { counts, missing }
}

/** Ends a share of the connections to the database. @returns how many. */
async function terminateConnections(
  url: string,
  { share, seed }: { share: number; seed: number },
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select setseed($1)', [seed])
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid)
       from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and random() < $1`,
      [share],
    )
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
