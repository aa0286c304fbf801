import type { Config } from './config.ts'
import type { Database, Db } from './db/client.ts'
import type { Limiters } from './http/limiters.ts'
import type { Jobs } from './jobs/queue.ts'
import type { Wake } from './jobs/wake.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import type { Ids, ObjectId } from './lib/object-id.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { Breaker } from './platform/breaker.ts'
import type { Pace } from './platform/pace.ts'
import type { Platform } from './platform/types.ts'
import type { ImageStore } from './storage/image-store.ts'
import type { Timings } from './timings.ts'

/** All that a request or a job works with: plain objects, built once a process (main.ts, tests). */
export type Deps = {
  config: Config
  operatorToken: string
  database: Database
  db: Db
  /** A connection that requests do not take, for whether the database answers. */
  healthDb: Db
  jobs: Jobs
  /** Woken when this process has put events of the platform into the inbox. */
  inboxWake: Wake
  platform: Platform
  /** Whether the platform lets calls of an official account through; `platform` is guarded by it. */
  breaker: Breaker
  /** The share of the platform's allowance; `platform` counts its sends in it. */
  pace: Pace
  /** Set once this process was asked to stop: it still answers for a while, and is no longer ready. */
  stopping: { isAsked: boolean }
  /** What the simulator signs events with; undefined with a configured platform. */
  simulatorSecret: string | undefined
  /** This process among those that send messages; null on the embedded database, which has one. */
  senderId: ObjectId | null
  /** What counts requests and failures, in memory or shared through Redis. */
  limiters: Limiters
  secrets: SecretBox
  images: ImageStore
  /** What became of this process's attempts at webhook deliveries. */
  webhookCounts: Record<'delivered' | 'retried' | 'failed' | 'disabled', number>
  /** How long this process waits and how often it looks. */
  timings: Timings
  clock: Clock
  ids: Ids
  log: Log
}
