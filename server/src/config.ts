import type { Timings } from './timings.ts'

/** The settings of a process from the environment, read once (process/config/read-config.ts). */
export type Config = {
  port: number
  host: string
  dataDir: string
  /** The service's public address, if it differs from the host of its requests. */
  publicUrl: string | undefined
  /** How a shop reaches the operator: a telephone number, an email address, or any other words. */
  operatorContact: string | undefined
  /** The proxies whose `X-Forwarded-…` headers are trusted: their addresses, or how many are in front of this service. */
  trustProxy: false | number | string[]
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** A pooler in transaction mode in front of the database, for requests and other short work. */
  databasePoolUrl: string | undefined
  /** A standby of the database, for reads of data that it already has. */
  databaseReadUrl: string | undefined
  /** PostgreSQL: the connections of a process, and time-outs. */
  database: { connections: number; limits: WaitLimits; slowStatementMs: number }
  /** Absent: images are kept in `dataDir`. */
  s3: Bucket | undefined
  /** Absent: each process counts rate limits for itself. */
  redisUrl: string | undefined
  /** The prefix of our keys in Redis. */
  redisPrefix: string
  /** What this process does: answer requests, work in the background, or both. */
  role: Role
  /** Whether Node was started with a limit for the space of new objects (V8's new space). */
  hasBoundedNewSpace: boolean
  /** The operator's tokens, the current one first. Absent: the token in the data folder. */
  operatorTokens: [string, ...string[]] | undefined
  /** The keys of sealed secrets in hexadecimal: the first one seals, all open. Absent: the key in the data folder. */
  secretsKeys: [string, ...string[]] | undefined
  demo: boolean
  /** Who may read `/metrics`: holders of the token, and anyone at the separate port. With neither, only this machine. */
  metrics: { token: string | undefined; port: number | undefined }
  /** The collector that spans are sent to, by OTLP over HTTP. Absent: no spans are recorded. */
  tracesUrl: string | undefined
  /** Whether the web console is built and served at `/`. */
  console: boolean
  logLevel: string
  /** Absent: links to set a password are not sent by email, but passed on by people. */
  mail: { smtpUrl: string; from: string; publicUrl: string } | undefined
  /** How long requests are still served after a stop signal, so that a load balancer can notice and stop sending. */
  drainSeconds: number
  ratePerMinute: number
  /** How much of a process's memory the kept responses of repeated reads may use. */
  readCacheMb: number
  /** For how many days or whole months records are kept; undefined means forever. */
  retention: {
    messageValuesDays: number | undefined
    auditDays: number | undefined
    platformEventsDays: number
    unusedImagesDays: number | undefined
    messageEventsMonths: number | undefined
    orderEventsMonths: number | undefined
  }
  /** How long after the operator's request a shop is erased. */
  shopDeletionDays: number
  /** The rate limit of each person signed in to the console, separate from their shop's. */
  sessionRatePerMinute: number
  /** How many messages one recipient may get: those with a one-time password, and all others. */
  recipientLimits: { otp: RecipientLimit[]; other: RecipientLimit[] }
  /** Absent: no platform is configured and the simulator is started beside the service. */
  platform: { businessUrl: string; openapiUrl: string; oauthUrl: string } | undefined
  /** The address for SMS; if absent, the provider's own, or the simulator's while no platform is configured. */
  esmsUrl: string | undefined
  platformLinkHost: string
  /** The proof to the platform that the domain is ours. Absent: none. */
  domainProof: { meta: MetaTag | undefined; file: ProofFile | undefined }
  /** How many queued messages all processes together may send per minute; 0 means no limit. */
  platformRatePerMinute: number
  platformStrict: boolean
  /** How a template's images reach the platform: fetched and uploaded, or as their addresses. */
  platformImages: 'upload' | 'link'
  /** Whether addresses given by callers may point to private networks. */
  outboundAllowPrivate: boolean
  /** What happens to a message whose outcome stays unknown, and after how long if its template does not say. */
  unknown: { policy: 'release' | 'resend-once'; timeoutSeconds: number }
  /** The default timings; tests and tools may replace some. */
  timings: Timings
  /** `secret`: the key that the simulator signs events with. Absent: the one in the data folder. */
  simulator: {
    isAskedFor: boolean
    /** A simulator that is already running. Absent: one is started beside the service. */
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

/** A meta tag in the head of the page at `/`. */
export type MetaTag = { name: string; content: string }

/** A file that is served at `/<name>`. */
export type ProofFile = { name: string; text: string }

/** At most `count` messages to one recipient in any `seconds`. */
export type RecipientLimit = { count: number; seconds: number }

/** PostgreSQL's time-outs in ms: for a lock, for a statement, and for a transaction that is idle. */
export type WaitLimits = { lockMs: number; statementMs: number; idleInTransactionMs: number }
