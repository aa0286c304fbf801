import { keepStatistics } from '../db/embedded/keep-statistics.ts'
import { inShareOf } from '../db/share.ts'
import type { Deps } from '../deps.ts'
import { startLoop } from '../jobs/loop.ts'
import { releaseAllClaims } from '../modules/idempotency/sql.ts'
import { startDispatcher } from '../modules/messages/batches/dispatch.ts'
import { startFallbacks } from '../modules/messages/fallback/send-fallbacks.ts'
import { startMessageRecovery } from '../modules/messages/outcome/recover-messages.ts'
import { startSettlingUndelivered } from '../modules/messages/outcome/settle-undelivered.ts'
import { startSettlingUnknown } from '../modules/messages/outcome/settle-unknown.ts'
import { startPublishing } from '../modules/news/drafts/publish-draft.ts'
import { startTokenRenewal } from '../modules/official-accounts/tokens/renew-tokens.ts'
import { requeueParkedEvents, workOpenEvents } from '../modules/platform-inbox/work-event.ts'
import { startInboxWork } from '../modules/platform-inbox/work-inbox.ts'
import { ImportInterrupted, runImport } from '../modules/product-files/import/run-import.ts'
import { startErasingShops } from '../modules/shops/deletion/erase-shop.ts'
import { pollTemplates } from '../modules/templates/review/poll-templates.ts'
import { submitTemplate } from '../modules/templates/review/submit-template.ts'
import { startDeliverer } from '../modules/webhooks/delivery/deliverer.ts'
import { startKeepingMonths } from './retention/months.ts'
import { startRetention } from './retention/retention.ts'
import { startRetentionWalk } from './retention/retention-walk.ts'

/**
 * Starts this process's background work: the queues, and the polling rounds that find changes that no event reported.
 * @returns a function that stops the rounds; the queues stop with `deps.jobs`.
 */
export async function startWorkers(deps: Deps): Promise<() => Promise<void>> {
  const { timings } = deps
  const stopping = new AbortController()
  // The retries take about 25 minutes in total.
  await deps.jobs.work(
    'submit-template',
    {
      retries: 12,
      firstRetrySeconds: timings.submissionFirstRetrySeconds,
      longestRetrySeconds: timings.submissionLongestRetrySeconds,
      expireSeconds: timings.submissionExpireSeconds,
    },
    (data, attempt) =>
      inShareOf(data.shopId, async () => {
        const oaId = await submitTemplate(deps, data, attempt)
        if (oaId !== undefined) await requeueParkedEvents(deps, oaId)
      }),
  )
  await deps.jobs.work(
    'import-products',
    {
      retries: 5,
      firstRetrySeconds: timings.importFirstRetrySeconds,
      longestRetrySeconds: timings.importLongestRetrySeconds,
      expireSeconds: timings.importExpireSeconds,
      heartbeatSeconds: timings.importHeartbeatSeconds,
      batch: 2,
    },
    (data, attempt) =>
      inShareOf(data.shopId, async () => {
        try {
          await runImport({ ...deps, db: deps.database.slow, stopping: stopping.signal }, data, attempt)
        } catch (error) {
          if (!(error instanceof ImportInterrupted)) throw error
          // Sent as a new job, so that this job's attempts are not used up, and the next process need not wait for this
          // process's heartbeat to expire.
          await deps.jobs.send(deps.db, 'import-products', data)
        }
      }),
  )
  // The embedded database has only one process, so requests that the previous process left unfinished can be retried
  // immediately.
  if (deps.database.kind === 'embedded') await releaseAllClaims(deps.db, deps.clock.now())
  const stops = [
    startMessageRecovery(deps),
    startSettlingUnknown(deps),
    startSettlingUndelivered(deps),
    startDispatcher(deps),
    startFallbacks(deps),
    startInboxWork(deps),
    startRounds(deps),
    startTokenRenewal(deps),
    startDeliverer(deps),
    startRetention(deps),
    startRetentionWalk(deps),
    startKeepingMonths(deps),
    startErasingShops(deps),
    startPublishing(deps),
    ...(deps.database.kind === 'embedded' ? [startKeepingStatistics(deps)] : []),
  ]
  return async () => {
    stopping.abort()
    await Promise.all([deps.jobs.stopTaking('import-products'), ...stops.map((stop) => stop())])
  }
}

/** PostgreSQL's autovacuum does this by itself. */
function startKeepingStatistics({ database, timings, log }: Deps): () => Promise<void> {
  const everyMs = timings.statisticsEveryMs
  const failed = (error: unknown) => log.warn({ err: error }, 'collecting statistics failed')
  return startLoop({ everyMs, firstMs: everyMs, failed }, (stopping) => keepStatistics(database.db, stopping))
}

/** Starts the polling rounds that find changes that no event reported. */
function startRounds(deps: Deps): () => Promise<void> {
  const everyMs = deps.timings.pollEveryMs
  const failed = (error: unknown) =>
    deps.log.error({ err: error }, 'a polling round failed; the next one continues')
  return startLoop({ everyMs, firstMs: everyMs, failed }, async (stopping) => {
    await pollTemplates(deps, stopping)
    await workOpenEvents(deps, stopping)
  })
}
