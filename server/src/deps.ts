import type { Config } from './config.ts'
import type { Database, Db } from './db/client.ts'
import type { Replica } from './db/replica.ts'
import type { Limiters } from './http/limits/limiters.ts'
import type { Jobs } from './jobs/queue.ts'
import type { Wake } from './jobs/wake.ts'
import type { Log } from './lib/log.ts'
import type { Ids, ObjectId } from './lib/object-id.ts'
import type { PasswordHashing } from './lib/password-hashing.ts'
import type { SecretBox } from './lib/secrets/secret-box.ts'
import type { Clock } from './lib/time/clock.ts'
import type { Breaker } from './platform/breaker.ts'
import type { CallWatch } from './platform/call-watch.ts'
import type { Consent } from './platform/chatapp/tokens/consent.ts'
import type { TokenStore } from './platform/chatapp/tokens/token-store.ts'
import type { Pace } from './platform/pace.ts'
import type { Platform } from './platform/types.ts'
import type { ImageStore } from './storage/image-store.ts'
import type { Timings } from './timings.ts'

/** All that a request or a job works with, as plain objects. Each process builds it once (process/serve.ts, tests). */
export type Deps = {
  config: Config
  operatorTokens: readonly string[]
  database: Database
  db: Db
  /** Absent without DATABASE_READ_URL. */
  replica: Replica | undefined
  /** A connection that requests do not use, to check whether the database answers. */
  healthDb: Db
  jobs: Jobs
  /** Woken when this process has stored events of the platform in the inbox. */
  inboxWake: Wake
  /** Woken when a request may have written an event of its shop, or a delivery has ended. */
  deliveryWake: Wake
  platform: Platform
  /** The address at which the provider of SMS is called. */
  esmsUrl: string
  /** The source of the access tokens that `platform` uses. */
  tokens: TokenStore
  /** How accounts are connected through the platform's consent page. */
  consent: Consent
  /** The circuits of official accounts, which guard `platform`. */
  breaker: Breaker
  /** Measures the duration of outgoing calls. */
  callWatch: CallWatch
  /** This process's share of the platform's allowance. `platform` counts its sends in it. */
  pace: Pace
  /** Set after this process was asked to stop: it still answers for a while, but is no longer ready. */
  stopping: { isAsked: boolean }
  /** The key that the simulator signs events with; undefined if a platform is configured. */
  simulatorSecret: string | undefined
  /** This process's id among those that send messages; null on the embedded database, which has only one process. */
  senderId: ObjectId | null
  /** Counts requests and failures, in memory or shared through Redis. */
  limiters: Limiters
  secrets: SecretBox
  passwords: PasswordHashing
  images: ImageStore
  /** What became of this process's emails. */
  mailCounts: Record<'sent' | 'failed', number>
  /** The results of this process's attempts at webhook deliveries. */
  webhookCounts: Record<'delivered' | 'retried' | 'failed' | 'disabled', number>
  /** The intervals and time-outs of this process. */
  timings: Timings
  clock: Clock
  ids: Ids
  log: Log
}
