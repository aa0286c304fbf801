import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Bucket, Config, RecipientLimit } from '../config.ts'
import { secretFile } from '../lib/secret-file.ts'
import { type Timings, timingsWith } from '../timings.ts'

/** A setting that cannot be used; its message is the one line that the start prints. */
export class ConfigError extends Error {}

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
  const publicUrl = url(env, 'PUBLIC_URL', ['http:', 'https:'])
  return {
    port,
    host: text(env, 'HOST') ?? '127.0.0.1',
    publicUrl,
    trustProxy: trustProxy(env),
    dataDir: resolve(text(env, 'DATA_DIR') ?? 'data'),
    databaseUrl,
    database: databaseSettings(env),
    s3: bucket(env),
    redisUrl: url(env, 'REDIS_URL', ['redis:', 'rediss:']),
    redisPrefix: text(env, 'REDIS_PREFIX') ?? 'shopbell',
    operatorToken: atLeast(env, 'OPERATOR_TOKEN', 16),
    secretsKey: secretsKey(env),
    demo: flag(env, 'DEMO', databaseUrl === undefined),
    console: flag(env, 'CONSOLE', true),
    mail: mailSettings(env, publicUrl),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    drainSeconds: integer(env, 'DRAIN_SECONDS', databaseUrl === undefined ? 0 : 5, 0, 600),
    ratePerMinute: integer(env, 'RATE_LIMIT_PER_MINUTE', 100, 1, 1_000_000_000),
    sessionRatePerMinute: integer(env, 'SESSION_RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000_000),
    recipientLimits: {
      otp: recipientLimits(env, 'RECIPIENT_LIMIT_OTP', '5/600,20/86400'),
      other: recipientLimits(env, 'RECIPIENT_LIMIT_OTHER', 'off'),
    },
    platform,
    platformLinkHost: text(env, 'PLATFORM_LINK_HOST') ?? 'chatapp.example',
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
    simulator: {
      isAskedFor: isSimulatorAskedFor(env, platform),
      host: text(env, 'SIMULATOR_HOST') ?? '127.0.0.1',
      secret: atLeast(env, 'SIMULATOR_SECRET', 16),
      port: integer(env, 'SIMULATOR_PORT', port === 0 ? 0 : port + 1, 0, 65_535),
      reviewMs: integer(env, 'SIMULATOR_REVIEW_MS', 3000, 0, 86_400_000),
    },
  }
}

/** Of tests and tools only, so that a test of a kill takes seconds: no setting of the service. */
function timings(env: NodeJS.ProcessEnv): Timings {
  const value = text(env, 'TIMINGS')
  try {
    return timingsWith(JSON.parse(value ?? '{}'))
  } catch (error) {
    throw new ConfigError(`TIMINGS=${value} is not usable: ${(error as Error).message}`)
  }
}

/** The operator's bearer token (G-61): the setting, else `DATA_DIR/operator-token`. */
export function operatorToken(config: Config): string {
  return (
    config.operatorToken ??
    secretFile(config.dataDir, 'operator-token', () => `sb_op_${randomBytes(24).toString('base64url')}`)
  )
}

/** What the simulator beside this service signs its events with: the setting, else `DATA_DIR/simulator-secret`. */
export function simulatorSecretOf(config: Config): string {
  return (
    config.simulator.secret ??
    secretFile(config.dataDir, 'simulator-secret', () => randomBytes(24).toString('base64url'))
  )
}

/**
 * A service that others reach, or that is set up to last, must not take the simulator for the platform unasked: messages
 * would seem to be sent, and anybody could use its desk.
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

/** The 32-byte key that seals official accounts' tokens: the setting, else `DATA_DIR/secrets-key`. */
export function secretsKeyOf(config: Config): Buffer {
  const hex =
    config.secretsKey ?? secretFile(config.dataDir, 'secrets-key', () => randomBytes(32).toString('hex'))
  return Buffer.from(hex, 'hex')
}

function text(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}

function integer(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === undefined) return fallback
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name}=${value} is not usable: use a whole number from ${min} to ${max}`)
  }
  return number
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

function flag(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  const value = text(env, name)
  if (value === undefined) return fallback
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new ConfigError(`${name}=${value} is not usable: use 1 or 0`)
}

function oneOf<const Value extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: NoInfer<Value>,
  allowed: readonly Value[],
): Value {
  const value = text(env, name) ?? fallback
  const known = allowed.find((one) => one === value)
  if (known !== undefined) return known
  throw new ConfigError(`${name}=${value} is not usable: use one of ${allowed.join(', ')}`)
}

function url(env: NodeJS.ProcessEnv, name: string, protocols: string[]): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  if (parsed === undefined || !protocols.includes(parsed.protocol)) {
    const shown = parsed?.password ? value.replace(parsed.password, '…') : value
    throw new ConfigError(`${name}=${shown} is not usable: use an address starting with ${protocols[0]}//`)
  }
  return value.replace(/\/$/, '')
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

function atLeast(env: NodeJS.ProcessEnv, name: string, length: number): string | undefined {
  const value = text(env, name)
  if (value !== undefined && value.length < length) {
    throw new ConfigError(`${name} is not usable: use at least ${length} characters`)
  }
  return value
}

function secretsKey(env: NodeJS.ProcessEnv): string | undefined {
  const value = text(env, 'SECRETS_KEY')
  if (value !== undefined && !/^[0-9a-f]{64}$/i.test(value)) {
    throw new ConfigError('SECRETS_KEY is not usable: use 64 hexadecimal characters (32 bytes)')
  }
  return value
}

function databaseSettings(env: NodeJS.ProcessEnv): Config['database'] {
  const lockMs = integer(env, 'DATABASE_LOCK_TIMEOUT_MS', 2_000, 100, 60_000)
  const statementMs = integer(env, 'DATABASE_STATEMENT_TIMEOUT_MS', 15_000, 100, 600_000)
  const idleInTransactionMs = integer(env, 'DATABASE_IDLE_TRANSACTION_TIMEOUT_MS', 10_000, 100, 600_000)
  const slowStatementMs = integer(env, 'DATABASE_SLOW_STATEMENT_TIMEOUT_MS', 300_000, 1_000, 86_400_000)
  // Otherwise a wait for a lock would look like a slow statement.
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

function mailSettings(env: NodeJS.ProcessEnv, publicUrl: string | undefined): Config['mail'] {
  const smtpUrl = url(env, 'SMTP_URL', ['smtp:', 'smtps:'])
  const from = text(env, 'MAIL_FROM')
  if (smtpUrl === undefined && from === undefined) return undefined
  if (smtpUrl === undefined || from === undefined)
    throw new ConfigError('SMTP_URL and MAIL_FROM belong together: set both or none')
  // With the request's own host, anybody could ask for another person's link and have it lead to their own site.
  if (publicUrl === undefined)
    throw new ConfigError('SMTP_URL needs PUBLIC_URL, the address that the links in mails begin with')
  return { smtpUrl, from, publicUrl }
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
      'PLATFORM=simulator and the addresses PLATFORM_…_URL exclude each other: set one of them',
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
