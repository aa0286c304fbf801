import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { isNight, nextMorning } from '../../../lib/time/vietnam-time.ts'
import { within } from '../../../lib/time/within.ts'
import { templateProviderOf } from '../../../platform/providers.ts'
import { findAccountQueue } from './queue-sql.ts'
import { type QuotaForecast, quotaForecast } from './rules.ts'

/** What will make messages of a batch wait. */
export type Waits = {
  /** Null if the platform did not say how many messages it takes. */
  quota: QuotaForecast | null
  /** Until when messages wait that the platform does not accept at night; null unless sending starts at night. */
  nightUntil: Date | null
}

/**
 * Foretells how many messages of a batch will wait for the platform's quota or its night window (G-27). The platform is asked for
 * the official account's quota; what the shop has queued for the same day is sent first. Only the platform knows which
 * templates it does not accept at night.
 */
export async function foretellWaits(
  deps: Pick<Deps, 'db' | 'platform' | 'secrets' | 'timings'>,
  shopId: ObjectId,
  batch: { oaId: string; messages: number; messagesBefore: number; startsAt: Date; now: Date },
): Promise<Waits> {
  const { oaId, startsAt, messagesBefore } = batch
  const nightUntil = isNight(startsAt) ? nextMorning(startsAt) : null
  const queue = await findAccountQueue(deps.db, shopId, oaId, batch)
  if (queue === undefined) return { quota: null, nightUntil }
  const { provider, credentials, queued } = queue
  const account = { shopId, accountId: oaId, credentials }
  const asked = templateProviderOf(deps, provider).messageQuota(account)
  const answer = (await within(deps.timings.quotaAnswerMs, asked))?.found
  const quota =
    answer?.kind === 'ok' ? quotaForecast(answer.data, { ...batch, ahead: queued + messagesBefore }) : null
  return { quota, nightUntil }
}
