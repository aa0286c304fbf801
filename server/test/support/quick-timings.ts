import type { Timings } from '../../src/timings.ts'

/**
 * The timings of the tests' services: short, but in the same proportions as the usual ones. pg-boss cannot poll more
 * often than every half second, and needs at least ten seconds without a heartbeat.
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
