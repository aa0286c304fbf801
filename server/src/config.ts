import type { Timings } from './timings.ts'

/** What the environment sets for a process, read once (process/read-config.ts). */
export type Config = {
  port: number
  host: string
  dataDir: string
  /** The service's own address as the world sees it, where that is not the request's host. */
  publicUrl: string | undefined
  /** The proxies whose `X-Forwarded-…` headers count: by address, or how many stand before this service. */
  trustProxy: false | number | string[]
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** How PostgreSQL is used: connections of a process, and how long it is waited for. */
  database: { connections: number; limits: WaitLimits; slowStatementMs: number }
  /** Absent: images are kept in `dataDir`. */
  s3: Bucket | undefined
  /** Absent: each process counts the rate limit for itself. */
  redisUrl: string | undefined
  /** What the names of our keys in Redis begin with. */
  redisPrefix: string
  operatorToken: string | undefined
  secretsKey: string | undefined
  demo: boolean
  /** Whether the web console is built and served at `/`. */
  console: boolean
  logLevel: string
  /** Absent: links to set a password are handed over by hand. */
  mail: { smtpUrl: string; from: string; publicUrl: string } | undefined
  /** How long requests are still served after a stop was asked for, so that a balancer can see it and turn away. */
  drainSeconds: number
  ratePerMinute: number
  /** Of each person who is signed in to the console, apart from their shop's budget. */
  sessionRatePerMinute: number
  /** How many messages one recipient may be sent, with a one-time password and without. */
  recipientLimits: { otp: RecipientLimit[]; other: RecipientLimit[] }
  /** Absent: no platform is configured and the simulator is started beside the service. */
  platform: { businessUrl: string; openapiUrl: string; oauthUrl: string } | undefined
  platformLinkHost: string
  /** Sends of queued messages, of all processes together; 0: not paced. */
  platformRatePerMinute: number
  platformStrict: boolean
  /** How a template's images reach the platform: fetched and uploaded, or as their addresses. */
  platformImages: 'upload' | 'link'
  /** Whether addresses that callers give may lead into private networks. */
  outboundAllowPrivate: boolean
  /** What becomes of a message whose outcome stays unknown, and after how long where its template names no time. */
  unknown: { policy: 'release' | 'resend-once'; timeoutSeconds: number }
  /** The defaults, except for what tests and tools replace. */
  timings: Timings
  /** `secret`: what it signs events with; absent: one of the data folder's own. */
  simulator: { isAskedFor: boolean; host: string; port: number; secret: string | undefined; reviewMs: number }
}

/** An S3-compatible bucket. */
export type Bucket = {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** At most `count` messages to one recipient in any `seconds`. */
export type RecipientLimit = { count: number; seconds: number }

/** What ends a wait on PostgreSQL, in ms: for a lock, for a statement, and of others for a silent transaction. */
export type WaitLimits = { lockMs: number; statementMs: number; idleInTransactionMs: number }
