import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { SealingKeys } from '../../lib/secrets/secret-box.ts'
import { secretFile } from '../../lib/secrets/secret-file.ts'

/** The file names of the secrets that the first start creates in DATA_DIR if no setting contains them. */
export const SECRET_FILES = {
  operatorToken: 'operator-token',
  simulatorSecret: 'simulator-secret',
  secretsKey: 'secrets-key',
} as const

/** The operator's bearer tokens (G-61), the current one first: the setting, else `DATA_DIR/operator-token`. */
export function operatorTokens(config: Config): [string, ...string[]] {
  return (
    config.operatorTokens ?? [
      secretFile(
        config.dataDir,
        SECRET_FILES.operatorToken,
        () => `sb_op_${randomBytes(24).toString('base64url')}`,
      ),
    ]
  )
}

/** The key with which the simulator beside this service signs its events: the setting, else `DATA_DIR/simulator-secret`. */
export function simulatorSecretOf(config: Config): string {
  return (
    config.simulator.secret ??
    secretFile(config.dataDir, SECRET_FILES.simulatorSecret, () => randomBytes(24).toString('base64url'))
  )
}

/**
 * The 32-byte keys that seal official accounts' tokens: the setting, else `DATA_DIR/secrets-key`, which is created if
 * missing.
 * @throws Error if the file contains anything else.
 */
export function sealingKeysOf(config: Config): SealingKeys {
  const made = () =>
    secretFile(config.dataDir, SECRET_FILES.secretsKey, () => randomBytes(32).toString('hex'))
  const keys = config.secretsKeys ?? sealingKeysIn(made())
  if (keys === undefined)
    throw new Error(
      `${join(config.dataDir, SECRET_FILES.secretsKey)} does not hold 64 hexadecimal characters`,
    )
  return bytesOf(keys)
}

/**
 * Like {@link sealingKeysOf}, without creating a key: undefined if there is none, `unusable` if the file contains
 * anything else.
 */
export function findSealingKeys({
  secretsKeys,
  dataDir,
}: Pick<Config, 'secretsKeys' | 'dataDir'>): SealingKeys | undefined | 'unusable' {
  if (secretsKeys !== undefined) return bytesOf(secretsKeys)
  const path = join(dataDir, SECRET_FILES.secretsKey)
  if (!existsSync(path)) return undefined
  const keys = sealingKeysIn(readFileSync(path, 'utf8').trim())
  return keys === undefined ? 'unusable' : bytesOf(keys)
}

/** The keys in a setting or a file, in hexadecimal; undefined if the text is not one or two keys. */
export function sealingKeysIn(text: string): [string, ...string[]] | undefined {
  const keys = text.split(',').map((one) => one.trim())
  const isUsable = keys.length <= 2 && keys.every((one) => /^[0-9a-f]{64}$/i.test(one))
  return isUsable ? (keys as [string, ...string[]]) : undefined
}

function bytesOf(keys: [string, ...string[]]): SealingKeys {
  return keys.map((hex) => Buffer.from(hex, 'hex')) as SealingKeys
}
