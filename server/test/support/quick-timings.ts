import type { Timings } from '../../src/timings.ts'

/**
 * The waits of the services of the tests: as long in relation to each other as the
 * usual ones, and short. pg-boss polls every half second at most and takes ten seconds of silence at least.
 */
export const QUICK_TIMINGS: Partial<Timings> = {
  afterErrorMs: 200,
  circuitRetrySeenMs: 200,
  heartbeatEveryMs: 500,
  silenceMs: 2_500,
  idempotencyLeaseMs: 4_000,
  inboxIdleMs: 200,
  inboxLeaseMs: 12_000,
  inboxRoomMs: 200,
  importHeartbeatSeconds: 10,
  jobsSuperviseSeconds: 1,
  jobsMaintainSeconds: 1,
  jobsPollSeconds: 0.5,
  jobsPollNoticedSeconds: 1,
  webhookReleaseEveryMs: 500,
  webhookTimeoutMs: 3_000,
  webhookLeaseMs: 5_000,
}
