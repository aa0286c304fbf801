import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Database, Db } from './db/client.ts'
import type { Jobs } from './jobs/queue.ts'
import type { createIds } from './lib/object-id.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { Breaker } from './platform/breaker.ts'
import type { Pace } from './platform/pace.ts'
import type { Platform } from './platform/types.ts'

export type Clock = { now(): Date }
export type Ids = ReturnType<typeof createIds>
export type Log = FastifyBaseLogger

/** All that a request or a job works with: plain objects, built once a process (main.ts, tests). */
export type Deps = {
  config: Config
  operatorToken: string
  database: Database
  db: Db
  jobs: Jobs
  platform: Platform
  /** Whether the platform lets calls of an official account through; `platform` is guarded by it. */
  breaker: Breaker
  /** The share of the platform's allowance; `platform` counts its sends in it. */
  pace: Pace
  secrets: SecretBox
  clock: Clock
  ids: Ids
  log: Log
}

export const systemClock: Clock = { now: () => new Date() }
