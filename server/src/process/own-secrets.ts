import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { secretFile } from '../lib/secrets/secret-file.ts'

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

/** The 32-byte key that seals official accounts' tokens: the setting, else `DATA_DIR/secrets-key`. */
export function secretsKeyOf(config: Config): Buffer {
  const hex =
    config.secretsKey ?? secretFile(config.dataDir, 'secrets-key', () => randomBytes(32).toString('hex'))
  return Buffer.from(hex, 'hex')
}
