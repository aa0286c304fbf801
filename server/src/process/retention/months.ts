import type { Config } from '../../config.ts'
import { dropOldParts, makeParts } from '../../db/parts/keep-parts.ts'
import type { Divided } from '../../db/parts/parts-sql.ts'
import type { Deps } from '../../deps.ts'
import { startLoop } from '../../jobs/loop.ts'

/** How many whole months of each divided table are kept; undefined keeps all. */
const KEPT: Record<Divided, (retention: Config['retention']) => number | undefined> = {
  message_events: ({ messageEventsMonths }) => messageEventsMonths,
  order_events: ({ orderEventsMonths }) => orderEventsMonths,
}

type Given = Pick<Deps, 'database' | 'clock' | 'config' | 'log'>

/**
 * Creates the parts for the coming months of every divided table, and drops parts past their retention. The process
 * that comes first does it. A failure in one table does not stop the others.
 * @returns the names of the dropped parts.
 */
export async function keepMonths(
  { database, clock, config, log }: Given,
  stopping: Pick<AbortSignal, 'aborted'>,
): Promise<string[]> {
  const db = database.slow
  const now = clock.now()
  const gone: string[] = []
  await makeParts(db, now)
  for (const table of Object.keys(KEPT) as Divided[]) {
    const months = KEPT[table](config.retention)
    if (months === undefined || stopping.aborted) continue
    try {
      gone.push(...(await dropOldParts(db, table, { now, months }, stopping)).dropped)
    } catch (error) {
      log.warn({ err: error, table }, 'a month past its retention was not dropped')
    }
  }
  return gone
}

/**
 * Runs {@link keepMonths} soon after the start and then every hour.
 * @returns a function that stops it.
 */
export function startKeepingMonths(deps: Given & Pick<Deps, 'timings'>): () => Promise<void> {
  const { timings, log } = deps
  const failed = (error: unknown) => log.warn({ err: error }, 'creating the coming months failed')
  return startLoop(
    { everyMs: timings.monthsEveryMs, firstMs: timings.retentionEveryMs, failed },
    async (stopping) => {
      const dropped = await keepMonths(deps, stopping)
      if (dropped.length > 0) log.info({ dropped }, 'dropped months past their retention')
    },
  )
}
