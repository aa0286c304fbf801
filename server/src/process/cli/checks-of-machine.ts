import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { diskOf } from '../../db/embedded/disk-full.ts'
import { checkMailServer } from '../../modules/access/mail.ts'
import { type Check, clockCheck, fine, wrong } from '../../modules/operations/checks.ts'
import { FolderUnreadable, isThere } from '../config/is-there.ts'
import { misspeltSettings } from '../config/misspelt.ts'
import { findSealingKeys, SECRET_FILES } from '../config/own-secrets.ts'

const MIN_FREE_BYTES = 512 * 1024 ** 2
const WITHIN_MS = 5_000
/** A `Date` header has only whole seconds. The platform refuses requests whose time is too far off. */
const MAX_PLATFORM_SKEW_MS = 30_000

/** Whether the folder holds an embedded database. @throws FolderUnreadable */
export function hasDatabase(dataDir: string): boolean {
  return isThere(join(dataDir, 'pg', 'PG_VERSION'))
}

/** The check, or that a folder keeps this user from making it. */
function unlessUnreadable(name: string, check: () => Check): Check {
  try {
    return check()
  } catch (error) {
    if (error instanceof FolderUnreadable) return wrong(name, error.says, error.advice)
    throw error
  }
}

/** Whether there is no embedded database yet, or this user may not know; undefined if there is one. */
export function checkNoDatabase(dataDir: string): Check | undefined {
  const check = unlessUnreadable('database', () =>
    fine('database', hasDatabase(dataDir) ? '' : 'none yet; the first start creates it'),
  )
  return check.says === '' ? undefined : check
}

/** Finds variables that were probably meant to be settings. */
export function checkSettings(): Check[] {
  return misspeltSettings().map(({ name, setting }) =>
    wrong(
      'settings',
      `${name} is not a setting and changes nothing`,
      `rename it to ${setting}, or remove it`,
    ),
  )
}

/** Checks that the data folder is writable, and that nobody else can read the embedded database and the secrets. */
export function checkDataDir({ dataDir, databaseUrl }: Config): Check[] {
  const name = 'data folder'
  if (!existsSync(dataDir)) return [fine(name, `${dataDir} does not exist yet; the first start creates it`)]
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [
      wrong(name, `${dataDir} cannot be written by this user`, 'run as the user of the service, or chown it'),
    ]
  }
  const secrets = Object.values(SECRET_FILES).filter((file) => existsSync(join(dataDir, file)))
  const open = [...(databaseUrl === undefined ? [''] : []), ...secrets].filter(
    (file) => (statSync(join(dataDir, file)).mode & 0o077) !== 0,
  )
  if (open.length === 0) return [fine(name, `${dataDir}, not readable by others`)]
  const paths = open.map((file) => join(dataDir, file))
  return [wrong(name, `others may read ${paths.join(', ')}`, `chmod go= ${paths.join(' ')}`)]
}

export function checkDisk({ dataDir }: Config): Check {
  const { folder, freeBytes, bytes } = diskOf(dataDir)
  const says = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free of ${(bytes / 1024 ** 3).toFixed(1)} GB at ${folder}`
  return freeBytes >= MIN_FREE_BYTES
    ? fine('disk', says)
    : wrong('disk', says, 'free some space, or move DATA_DIR')
}

/**
 * Checks that the operator token and the sealing key exist, without creating them. Without a key, `sealingKeys` is
 * empty, which fits no database.
 */
export function checkSecrets(config: Config): { check: Check[]; sealingKeys: Buffer[] } {
  const { dataDir, operatorTokens, secretsKeys } = config
  const found = findSealingKeys(config)
  const tokenFile = join(dataDir, SECRET_FILES.operatorToken)
  const keyFile = join(dataDir, SECRET_FILES.secretsKey)
  return {
    check: [
      secretCheck('operator token', 'OPERATOR_TOKEN', operatorTokens, tokenFile),
      found === 'unusable'
        ? wrong(
            'secrets key',
            'secrets-key does not hold 64 hexadecimal characters',
            'restore it from a backup',
          )
        : secretCheck('secrets key', 'SECRETS_KEY', secretsKeys, keyFile),
    ],
    sealingKeys: found === undefined || found === 'unusable' ? [] : found,
  }
}

function secretCheck(name: string, setting: string, values: string[] | undefined, path: string): Check {
  if (values !== undefined)
    return fine(name, `from ${setting}${values.length > 1 ? ', with the previous one' : ''}`)
  return unlessUnreadable(name, () =>
    fine(name, isThere(path) ? `in ${path}` : 'none yet; the first start creates it'),
  )
}

/** Checks that the mail server lets the service sign in; nothing is sent. None without SMTP_URL. */
export async function checkMail({ mail }: Config): Promise<Check[]> {
  if (mail === undefined) return []
  const { host, protocol } = new URL(mail.smtpUrl)
  const server = `${protocol}//${host}`
  try {
    await checkMailServer(mail.smtpUrl)
    return [fine('mail', `${server} accepts the sign-in`)]
  } catch (error) {
    // Not the message, which may contain the password.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    const why = [code, responseCode].filter(Boolean).join(' ') || 'no reason given'
    return [
      wrong(
        'mail',
        `${server} cannot be used (${why}): emails with links are not sent`,
        code === 'EAUTH' ? 'correct the name and password in SMTP_URL' : 'correct SMTP_URL, or the firewall',
      ),
    ]
  }
}

/**
 * Checks that each address of the platform responds, and that its clock agrees with ours.
 * @param announcedUrl the running simulator's address, if known; otherwise the settings name it.
 */
export async function checkPlatform(
  config: Config,
  isRunning: boolean,
  announcedUrl: string | undefined,
): Promise<Check[]> {
  const { platform, simulator } = config
  if (platform === undefined) {
    const url = simulator.url ?? announcedUrl ?? `http://${simulator.host}:${simulator.port}`
    if (!isRunning && simulator.url === undefined)
      return [fine('platform', 'the simulator, which the service starts')]
    return checkAddress('platform', url)
  }
  const addresses = [...new Set([platform.businessUrl, platform.openapiUrl, platform.oauthUrl])]
  const found = await Promise.all(addresses.map((url) => checkAddress('platform', url)))
  return found.flat()
}

async function checkAddress(name: string, url: string): Promise<Check[]> {
  const askedAt = Date.now()
  try {
    // Any response will do: the platform answers only its own calls with 200.
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS) })
    await answer.body?.cancel()
    const reached = fine(name, `${url} responds in ${Date.now() - askedAt} ms`)
    const date = Date.parse(answer.headers.get('date') ?? '')
    if (Number.isNaN(date)) return [reached]
    const skewMs = date + 500 - (askedAt + Date.now()) / 2
    return [reached, clockCheck('platform clock', url, skewMs, MAX_PLATFORM_SKEW_MS)]
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
    const why = cause?.code ?? cause?.message ?? (error as Error).message
    return [
      wrong(name, `${url} does not respond (${why})`, 'check the address, DNS, the firewall and the proxy'),
    ]
  }
}
