import { isIP } from 'node:net'
import type { Bucket, Config, MetaTag, ProofFile, RecipientLimit, Role } from '../../config.ts'
import { type Timings, timingsWith } from '../../timings.ts'
import {
  atLeast,
  atMost,
  ConfigError,
  flag,
  folder,
  hostName,
  integer,
  oneOf,
  optionalPort,
  text,
  url,
} from './env-values.ts'
import { sealingKeysIn } from './own-secrets.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * The settings of a process, read once.
 * @throws ConfigError naming the setting, its value and what it takes.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = integer(env, 'PORT', 3000, 0, 65_535)
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'])
  const platformUrls = {
    businessUrl: url(env, 'PLATFORM_BUSINESS_URL', ['http:', 'https:']),
    openapiUrl: url(env, 'PLATFORM_OPENAPI_URL', ['http:', 'https:']),
    oauthUrl: url(env, 'PLATFORM_OAUTH_URL', ['http:', 'https:']),
  }
  const platform = allOrNone(platformUrls)
  const publicUrl = publicAddress(env)
  const simulator = {
    isAskedFor: isSimulatorAskedFor(env, platform),
    url: url(env, 'SIMULATOR_URL', ['http:', 'https:']),
    host: text(env, 'SIMULATOR_HOST') ?? '127.0.0.1',
    secret: atLeast(env, 'SIMULATOR_SECRET', 16),
    port: integer(env, 'SIMULATOR_PORT', port === 0 ? 0 : port + 1, 0, 65_535),
    reviewMs: integer(env, 'SIMULATOR_REVIEW_MS', 3000, 0, 86_400_000),
  }
  const metricsPort = optionalPort(env, 'METRICS_PORT')
  const hasSimulator = platform === undefined && simulator.url === undefined
  assertDifferent({
    PORT: port,
    ...(hasSimulator ? { SIMULATOR_PORT: simulator.port } : {}),
    METRICS_PORT: metricsPort,
  })
  return {
    port,
    host: text(env, 'HOST') ?? '127.0.0.1',
    publicUrl,
    operatorContact: atMost(env, 'OPERATOR_CONTACT', 200),
    trustProxy: trustProxy(env),
    dataDir: folder(env, 'DATA_DIR', 'data'),
    databaseUrl,
    databasePoolUrl: besideDatabase(env, 'DATABASE_POOL_URL', databaseUrl, 'that the pooler stands before'),
    databaseReadUrl: besideDatabase(env, 'DATABASE_READ_URL', databaseUrl, 'that the standby follows'),
    database: databaseSettings(env),
    s3: bucket(env),
    redisUrl: url(env, 'REDIS_URL', ['redis:', 'rediss:']),
    redisPrefix: text(env, 'REDIS_PREFIX') ?? 'shopbell',
    role: role(env, databaseUrl),
    hasBoundedNewSpace: /--max[-_]semi[-_]space[-_]size/.test(
      [env.NODE_OPTIONS, ...process.execArgv].join(' '),
    ),
    operatorTokens: operatorTokens(env),
    secretsKeys: secretsKeys(env),
    metrics: { token: atLeast(env, 'METRICS_TOKEN', 16), port: metricsPort },
    tracesUrl: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    demo: flag(env, 'DEMO', databaseUrl === undefined),
    console: flag(env, 'CONSOLE', true),
    mail: mailSettings(env, publicUrl),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    drainSeconds: integer(env, 'DRAIN_SECONDS', databaseUrl === undefined ? 0 : 5, 0, 600),
    readCacheMb: integer(env, 'READ_CACHE_MB', 16, 0, 4096),
    ratePerMinute: integer(env, 'RATE_LIMIT_PER_MINUTE', 100, 1, 1_000_000_000),
    retention: {
      messageValuesDays: keptDays(env, 'RETENTION_MESSAGE_VALUES_DAYS'),
      auditDays: keptDays(env, 'RETENTION_AUDIT_DAYS'),
      platformEventsDays: integer(env, 'RETENTION_PLATFORM_EVENTS_DAYS', 30, 1, 3_650),
      unusedImagesDays: keptDays(env, 'RETENTION_UNUSED_IMAGES_DAYS'),
      messageEventsMonths: keptMonths(env, 'RETENTION_MESSAGE_EVENTS_MONTHS'),
      orderEventsMonths: keptMonths(env, 'RETENTION_ORDER_EVENTS_MONTHS'),
    },
    shopDeletionDays: integer(env, 'SHOP_DELETION_DAYS', 30, 0, 3_650),
    sessionRatePerMinute: integer(env, 'SESSION_RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000_000),
    recipientLimits: {
      otp: recipientLimits(env, 'RECIPIENT_LIMIT_OTP', '5/600,20/86400'),
      other: recipientLimits(env, 'RECIPIENT_LIMIT_OTHER', 'off'),
    },
    platform,
    esmsUrl: url(env, 'ESMS_URL', ['http:', 'https:']),
    platformLinkHost: hostName(env, 'PLATFORM_LINK_HOST', 'chatapp.example'),
    domainProof: { meta: metaTag(env), file: proofFile(env) },
    platformRatePerMinute: integer(env, 'PLATFORM_RATE_PER_MINUTE', 4000, 0, 1_000_000),
    platformStrict: flag(env, 'PLATFORM_STRICT', platform !== undefined),
    unknown: {
      policy: oneOf(env, 'UNKNOWN_POLICY', 'release', ['release', 'resend-once']),
      timeoutSeconds: integer(env, 'UNKNOWN_TIMEOUT_SECONDS', 86_400, 1, 2_592_000),
    },
    platformImages: oneOf(env, 'PLATFORM_IMAGES', platform === undefined ? 'link' : 'upload', [
      'upload',
      'link',
    ]),
    outboundAllowPrivate: flag(env, 'OUTBOUND_ALLOW_PRIVATE', false),
    timings: timings(env),
    simulator,
  }
}

/** For tests and tools only, so that a test that kills processes takes seconds. Not a setting of the service. */
function timings(env: NodeJS.ProcessEnv): Timings {
  const value = text(env, 'TIMINGS')
  try {
    return timingsWith(JSON.parse(value ?? '{}'))
  } catch (error) {
    throw new ConfigError(`TIMINGS=${value} is not usable: ${(error as Error).message}`)
  }
}

/**
 * A service that others can reach, or with a permanent database, must not use the simulator as its platform unless this
 * was asked for: messages would only seem to be sent, and anyone could use the simulator's desk.
 * @throws ConfigError saying what to set.
 */
export function assertPlatformKnown({ platform, simulator, databaseUrl, host }: Config): void {
  if (platform !== undefined || simulator.isAskedFor) return
  const isOwnOnly = host === 'localhost' || host === '::1' || /^127\./.test(host)
  if (databaseUrl === undefined && isOwnOnly) return
  const why = databaseUrl === undefined ? `HOST=${host}` : 'DATABASE_URL'
  throw new ConfigError(
    `With ${why} the messaging platform must be named: set PLATFORM_BUSINESS_URL, PLATFORM_OPENAPI_URL and PLATFORM_OAUTH_URL, or PLATFORM=simulator for the simulator`,
  )
}

/** A number of days; undefined for 0, the default, which keeps the records forever. */
function keptDays(env: NodeJS.ProcessEnv, name: string): number | undefined {
  return integer(env, name, 0, 0, 36_500) || undefined
}

/** A number of months; undefined for 0, the default, which keeps the records forever. */
function keptMonths(env: NodeJS.ProcessEnv, name: string): number | undefined {
  return integer(env, name, 0, 0, 1_200) || undefined
}

function recipientLimits(env: NodeJS.ProcessEnv, name: string, fallback: string): RecipientLimit[] {
  const value = text(env, name) ?? fallback
  if (value === 'off') return []
  return value.split(',').map((part) => {
    const [count = 0, seconds = 0] = part.split('/').map(Number)
    const isUsable = /^\s*\d+\/\d+\s*$/.test(part) && count >= 1 && count <= 10_000
    if (isUsable && seconds >= 1 && seconds <= 2_592_000) return { count, seconds }
    throw new ConfigError(
      `${name}=${value} is not usable: use messages/seconds, separated by commas (5/600,20/86400), or off`,
    )
  })
}

/** Accepts a whole meta tag, as the platform's console shows it, or `name=content`. */
function metaTag(env: NodeJS.ProcessEnv): MetaTag | undefined {
  const value = text(env, 'PLATFORM_VERIFICATION_META')
  if (value === undefined) return undefined
  const [, name, content] =
    /^<meta\s+name="([\w.:-]+)"\s+content="([^"<>]+)"\s*\/?>$/i.exec(value) ??
    /^([\w.:-]+)=([^"<>]+)$/.exec(value) ??
    []
  if (name !== undefined && content !== undefined) return { name, content }
  throw new ConfigError(
    `PLATFORM_VERIFICATION_META=${value} is not usable: use name=content, or the tag <meta name="…" content="…">`,
  )
}

function proofFile(env: NodeJS.ProcessEnv): ProofFile | undefined {
  const value = text(env, 'PLATFORM_VERIFICATION_FILE')
  if (value === undefined) return undefined
  const [, name, content] = /^([\w-][\w.-]*\.(?:html?|txt)):(.+)$/s.exec(value) ?? []
  if (name !== undefined && content !== undefined) return { name, text: content }
  throw new ConfigError(
    `PLATFORM_VERIFICATION_FILE=${value} is not usable: use name:text, with a name that ends with .html or .txt`,
  )
}

function trustProxy(env: NodeJS.ProcessEnv): Config['trustProxy'] {
  const value = text(env, 'TRUST_PROXY') ?? 'off'
  if (value === 'off' || value === '0') return false
  if (/^\d+$/.test(value) && Number(value) <= 10) return Number(value)
  const addresses = value.split(',').map((one) => one.trim())
  const isAddress = (one: string) => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(one) ?? []
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
    return Number(bits ?? 1) >= 1 && Number(bits ?? 1) <= most
  }
  if (addresses.every(isAddress)) return addresses
  throw new ConfigError(
    `TRUST_PROXY=${value} is not usable: use the proxies’ addresses (10.0.0.5,10.1.0.0/16), the number of proxies (1 to 10), or off`,
  )
}

/** Accepts up to two tokens, separated by a comma, so that they can be changed without an interruption. */
function operatorTokens(env: NodeJS.ProcessEnv): Config['operatorTokens'] {
  const tokens = text(env, 'OPERATOR_TOKEN')
    ?.split(',')
    .map((one) => one.trim())
  if (tokens === undefined) return undefined
  if (tokens.length > 2 || tokens.some((one) => one.length < 16)) {
    throw new ConfigError(
      'OPERATOR_TOKEN is not usable: use at least 16 characters; during a change, the new and the old one, separated by a comma',
    )
  }
  return tokens as [string, ...string[]]
}

function secretsKeys(env: NodeJS.ProcessEnv): Config['secretsKeys'] {
  const value = text(env, 'SECRETS_KEY')
  if (value === undefined) return undefined
  const keys = sealingKeysIn(value)
  if (keys !== undefined) return keys
  throw new ConfigError(
    'SECRETS_KEY is not usable: use 64 hexadecimal characters (32 bytes); during a change, the new and the old one, separated by a comma',
  )
}

function besideDatabase(
  env: NodeJS.ProcessEnv,
  name: string,
  databaseUrl: string | undefined,
  which: string,
): string | undefined {
  const value = url(env, name, ['postgres:', 'postgresql:'])
  if (value === undefined || databaseUrl !== undefined) return value
  throw new ConfigError(`${name} needs DATABASE_URL, the database ${which}`)
}

function databaseSettings(env: NodeJS.ProcessEnv): Config['database'] {
  const lockMs = integer(env, 'DATABASE_LOCK_TIMEOUT_MS', 2_000, 100, 60_000)
  const statementMs = integer(env, 'DATABASE_STATEMENT_TIMEOUT_MS', 15_000, 100, 600_000)
  const idleInTransactionMs = integer(env, 'DATABASE_IDLE_TRANSACTION_TIMEOUT_MS', 10_000, 100, 600_000)
  const slowStatementMs = integer(env, 'DATABASE_SLOW_STATEMENT_TIMEOUT_MS', 300_000, 1_000, 86_400_000)
  // Otherwise a wait for a lock would be reported as a slow statement.
  if (lockMs >= statementMs) {
    throw new ConfigError(
      `DATABASE_LOCK_TIMEOUT_MS=${lockMs} is not usable: it must be less than DATABASE_STATEMENT_TIMEOUT_MS=${statementMs}`,
    )
  }
  return {
    connections: integer(env, 'DATABASE_CONNECTIONS', 20, 6, 1_000),
    limits: { lockMs, statementMs, idleInTransactionMs },
    slowStatementMs,
  }
}

/** Refuses two settings with the same port, which would fail only later, as an address in use. 0 is any free port. */
function assertDifferent(ports: Record<string, number | undefined>): void {
  const taken = new Map<number, string>()
  for (const [name, port] of Object.entries(ports)) {
    if (port === undefined || port === 0) continue
    const other = taken.get(port)
    if (other !== undefined)
      throw new ConfigError(`${name}=${port} is not usable: it must differ from ${other}`)
    taken.set(port, name)
  }
}

/** The paths of links are appended to it, so it may have a path of its own, but nothing after that. */
function publicAddress(env: NodeJS.ProcessEnv): string | undefined {
  const value = url(env, 'PUBLIC_URL', ['https:', 'http:'])
  if (value === undefined || !/[?#]/.test(value)) return value
  throw new ConfigError(`PUBLIC_URL=${value} is not usable: use an address without ? and #`)
}

function mailSettings(env: NodeJS.ProcessEnv, publicUrl: string | undefined): Config['mail'] {
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:'])
  const from = text(env, 'MAIL_FROM')
  if (smtpUrl === undefined && from === undefined) return undefined
  if (smtpUrl === undefined || from === undefined)
    throw new ConfigError('SMTP_URL and MAIL_FROM belong together: set both or none')
  if (!/^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from))
    throw new ConfigError(
      `MAIL_FROM=${from} is not usable: use an email address, such as no-reply@shop.example or Tiệm Hoa <no-reply@shop.example>`,
    )
  // If links began with the request's own host, an attacker could request another person's link and make it lead to the
  // attacker's site.
  if (publicUrl === undefined)
    throw new ConfigError('SMTP_URL needs PUBLIC_URL, the address with which links in emails begin')
  return { smtpUrl, from, publicUrl }
}

function role(env: NodeJS.ProcessEnv, databaseUrl: string | undefined): Role {
  const value = oneOf(env, 'ROLE', 'all', ['all', 'web', 'worker'])
  if (value === 'all' || databaseUrl !== undefined) return value
  throw new ConfigError(
    `ROLE=${value} needs DATABASE_URL: the embedded database allows one process, which does everything`,
  )
}

function bucket(env: NodeJS.ProcessEnv): Bucket | undefined {
  const endpoint = url(env, 'S3_ENDPOINT', ['http:', 'https:'])
  const name = text(env, 'S3_BUCKET')
  const accessKeyId = text(env, 'S3_ACCESS_KEY_ID')
  const secretAccessKey = text(env, 'S3_SECRET_ACCESS_KEY')
  const region = text(env, 'S3_REGION') ?? 'us-east-1'
  if (name !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) {
    throw new ConfigError(`S3_BUCKET=${name} is not usable: use the name of a bucket`)
  }
  if ([endpoint, name, accessKeyId, secretAccessKey].every((one) => one === undefined)) return undefined
  if (!endpoint || !name || !accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set all four or none',
    )
  }
  return { endpoint, bucket: name, accessKeyId, secretAccessKey, region }
}

function isSimulatorAskedFor(env: NodeJS.ProcessEnv, platform: Config['platform']): boolean {
  const value = text(env, 'PLATFORM')
  if (value === undefined) return false
  if (value !== 'simulator')
    throw new ConfigError(`PLATFORM=${value} is not usable: use simulator, or leave it empty`)
  if (platform !== undefined)
    throw new ConfigError(
      'PLATFORM=simulator and the addresses PLATFORM_…_URL cannot be combined: set only one of them',
    )
  return true
}

function allOrNone(urls: {
  businessUrl: string | undefined
  openapiUrl: string | undefined
  oauthUrl: string | undefined
}): Config['platform'] {
  const { businessUrl, openapiUrl, oauthUrl } = urls
  if (businessUrl === undefined && openapiUrl === undefined && oauthUrl === undefined) return undefined
  if (businessUrl === undefined || openapiUrl === undefined || oauthUrl === undefined) {
    throw new ConfigError(
      'PLATFORM_BUSINESS_URL, PLATFORM_OPENAPI_URL and PLATFORM_OAUTH_URL belong together: set all three or none',
    )
  }
  return { businessUrl, openapiUrl, oauthUrl }
}
