import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import { asRecord, asText } from '../chatapp/wire.ts'

/** The keys for calls to eSMS, and the key in the address of its reports, because eSMS signs nothing. */
export type EsmsKeys = { apiKey: string; secretKey: string; reportKey: string }

/** The keys as they are stored, sealed together. */
export function sealEsmsKeys(secrets: SecretBox, { apiKey, secretKey, reportKey }: EsmsKeys): Buffer {
  return secrets.seal(JSON.stringify({ apiKey, secretKey, reportKey }))
}

/** Opens the sealed keys. @throws when they cannot be opened, or one is missing. */
export function openEsmsKeys(secrets: SecretBox, sealed: Uint8Array | null): EsmsKeys {
  const fields = asRecord(sealed === null ? undefined : JSON.parse(secrets.open(sealed)))
  const [apiKey, secretKey, reportKey] = [fields.apiKey, fields.secretKey, fields.reportKey].map(asText)
  if (apiKey === undefined || secretKey === undefined || reportKey === undefined) {
    throw new Error('the SMS sender has no keys')
  }
  return { apiKey, secretKey, reportKey }
}
