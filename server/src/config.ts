import type { Timings } from './timings.ts'

/** The settings of a process from the environment, read once (process/config/read-config.ts). */
export type Config = {
  port: number
  host: string
  dataDir: string
  /** The service's public address, if it is not the request's host. */
  publicUrl: string | undefined
  /** The proxies whose `X-Forwarded-…` headers count: by address, or how many stand before this service. */
  trustProxy: false | number | string[]
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** A pooler in transaction mode before the database, for the short work of requests. */
  databasePoolUrl: string | undefined
  /** A standby of the database, for reads of what it has already. */
  databaseReadUrl: string | undefined
  /** The use of PostgreSQL: connections of a process, and time-outs. */
  database: { connections: number; limits: WaitLimits; slowStatementMs: number }
  /** Absent: images are kept in `dataDir`. */
  s3: Bucket | undefined
  /** Absent: each process counts the rate limit for itself. */
  redisUrl: string | undefined
  /** The prefix of our keys in Redis. */
  redisPrefix: string
  /** What this process does: answer requests, work in the background, or both. */
  role: Role
  /** Whether Node was started with a limit for the space of new objects. */
  hasBoundedNewSpace: boolean
  /** The operator's tokens, the current one first; absent: one of the data folder's own. */
  operatorTokens: [string, ...string[]] | undefined
  /** The keys of sealed secrets in hexadecimal: the first one seals, all open. Absent: those of the data folder. */
  secretsKeys: [string, ...string[]] | undefined
  demo: boolean
  /** Who may read `/metrics`: a token's holder, and at a port of its own; with neither, this machine. */
  metrics: { token: string | undefined; port: number | undefined }
  /** The collector that spans are sent to, by OTLP over HTTP; absent: none are made. */
  tracesUrl: string | undefined
  /** Whether the web console is built and served at `/`. */
  console: boolean
  logLevel: string
  /** Absent: links to set a password are handed over by hand. */
  mail: { smtpUrl: string; from: string; publicUrl: string } | undefined
  /** How long requests are still served after a stop signal, so that a load balancer can notice and stop sending. */
  drainSeconds: number
  ratePerMinute: number
  /** What answers of repeated reads may take of a process's memory. */
  readCacheMb: number
  /** For how many days or whole months these are kept; undefined: for ever. */
  retention: {
    messageValuesDays: number | undefined
    auditDays: number | undefined
    platformEventsDays: number
    unusedImagesDays: number | undefined
    messageEventsMonths: number | undefined
    orderEventsMonths: number | undefined
  }
  /** How long after the operator asked a shop is erased. */
  shopDeletionDays: number
  /** The rate limit of each person signed in to the console, separate from their shop's. */
  sessionRatePerMinute: number
  /** How many messages may be sent to one recipient, with a one-time password and without. */
  recipientLimits: { otp: RecipientLimit[]; other: RecipientLimit[] }
  /** Absent: no platform is configured and the simulator is started beside the service. */
  platform: { businessUrl: string; openapiUrl: string; oauthUrl: string } | undefined
  /** Where SMS are sent, if it is not the provider's own address, or the simulator's while no platform is configured. */
  esmsUrl: string | undefined
  platformLinkHost: string
  /** What proves to the platform that the domain is ours; absent: nothing. */
  domainProof: { meta: MetaTag | undefined; file: ProofFile | undefined }
  /** Queued messages sent a minute, by all processes together; 0: no limit. */
  platformRatePerMinute: number
  platformStrict: boolean
  /** How a template's images reach the platform: fetched and uploaded, or as their addresses. */
  platformImages: 'upload' | 'link'
  /** Whether addresses from callers may point to private networks. */
  outboundAllowPrivate: boolean
  /** What happens to a message whose outcome stays unknown, and after how long if its template names no time. */
  unknown: { policy: 'release' | 'resend-once'; timeoutSeconds: number }
  /** The defaults, except for what tests and tools replace. */
  timings: Timings
  /** `secret`: what it signs events with; absent: one of the data folder's own. */
  simulator: {
    isAskedFor: boolean
    /** One that runs already; absent: it is started beside the service. */
    url: string | undefined
    host: string
    port: number
    secret: string | undefined
    reviewMs: number
  }
}

export type Role = 'all' | 'web' | 'worker'

/** An S3-compatible bucket. */
export type Bucket = {
  endpoint: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** A tag in the head of the page at `/`. */
export type MetaTag = { name: string; content: string }

/** A file at `/<name>`. */
export type ProofFile = { name: string; text: string }

/** At most `count` messages to one recipient in any `seconds`. */
export type RecipientLimit = { count: number; seconds: number }

/** PostgreSQL's time-outs in ms: for a lock, for a statement, and for a transaction that is idle. */
export type WaitLimits = { lockMs: number; statementMs: number; idleInTransactionMs: number }
