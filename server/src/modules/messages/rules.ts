import { invalidField, Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { isOtp, isTechSetting, TECH_SETTINGS } from '../../lib/text/params.ts'
import { codePointLength, isBlank, maskSecret, toNfc } from '../../lib/text/text.ts'
import type { TemplateParam } from '../../platform/types.ts'
import type { TemplateStatusName } from '../../texts/keys.ts'

export type MessageState = 'QUEUED' | 'SENDING' | 'UNKNOWN' | 'FALLBACK' | 'RECEIVED' | 'ERROR'
export type Channel = 'phone' | 'uid'

/** What sending needs to know of a template; prices in đồng, null where the channel is not offered. */
export type SendableTemplate = {
  id: ObjectId
  version: number
  status: TemplateStatusName
  oaId: string
  isOaLinked: boolean
  platformTemplateId: string | null
  params: TemplateParam[]
  pricePhone: number | null
  priceUid: number | null
}

/** A message as requested. The recipient of the other channel is ''. */
export type SendRequest = {
  /** Our id or the platform's number (G-20). */
  templateId: string
  channel: Channel
  /** `84…` */
  phone: string
  userUid: string
  isSample: boolean
  params: Readonly<Record<string, string | number>>
  /** The path of the values in the caller's body: `['params']`, `['templateData']`. */
  paramsPath: (string | number)[]
}

/** A message that the rules allow; `fee` in đồng. */
export type Sendable = { platformTemplateId: string; params: Record<string, string>; fee: number }

/** At most `count` messages to one recipient in any `seconds`. */
export type RecipientLimit = { count: number; seconds: number }

/** The limits on a message's recipient, counting messages of the same kind: with a one-time password or without. */
export type RecipientGuard = { hasOtp: boolean; limits: readonly RecipientLimit[] }

/**
 * The values that a request sends, and its fee.
 * @throws Refused TEMPLATE_NOT_SENDABLE unless the template is ENABLE, or under review for a sample (G-23);
 *   PHONE_NOT_PRICED, UID_NOT_PRICED (G-26); OA_NOT_LINKED. ValidationError for the values (G-21).
 */
export function sendableMessage(template: SendableTemplate, request: SendRequest): Sendable {
  const { status, platformTemplateId } = template
  const isStatusRight = status === 'ENABLE' || (request.isSample && status === 'PENDING_REVIEW')
  if (!isStatusRight || platformTemplateId === null) {
    const when = { sendableWhen: isStatusRight ? 'received' : 'enabled' } as const
    throw new Refused('TEMPLATE_NOT_SENDABLE', { status: { templateStatus: status }, when })
  }
  const params = paramValues(template.params, request)
  if (!template.isOaLinked) throw new Refused('OA_NOT_LINKED', { oaId: template.oaId })
  return { platformTemplateId, params, fee: feeOf(template, request) }
}

/** Control characters and invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/**
 * Refuses spellings of a UID that look like another one but would be counted separately by the recipient's limits.
 * @throws ValidationError at `path` for leading or trailing blanks and invisible characters.
 */
export function checkUid(userUid: string, path: (string | number)[]): void {
  if (UNSEEN.test(userUid)) throw invalidField(path, 'string.invisible')
  if (userUid.trim() !== userUid) throw invalidField(path, 'string.blankEnds')
}

/** The limits on a message's recipient: by whether the template carries a one-time password; none on a sample. */
export function recipientGuard(
  template: Pick<SendableTemplate, 'params'>,
  request: Pick<SendRequest, 'isSample'>,
  limits: { otp: readonly RecipientLimit[]; other: readonly RecipientLimit[] },
): RecipientGuard {
  const hasOtp = template.params.some(isOtp)
  if (request.isSample) return { hasOtp, limits: [] }
  return { hasOtp, limits: hasOtp ? limits.otp : limits.other }
}

/** The fee in đồng; a sample is never charged (G-23). @throws Refused where the channel has no price (G-26). */
export function feeOf(
  template: Pick<SendableTemplate, 'pricePhone' | 'priceUid'>,
  request: Pick<SendRequest, 'channel' | 'isSample'>,
): number {
  if (request.isSample) return 0
  const fee = request.channel === 'phone' ? template.pricePhone : template.priceUid
  if (fee === null) throw new Refused(request.channel === 'phone' ? 'PHONE_NOT_PRICED' : 'UID_NOT_PRICED')
  return fee
}

/**
 * The values to send, by key, in the template's order: keys and values in NFC, numbers as text (G-21).
 * A sample's missing or blank values are filled by the sample values, cut to what fits (G-23).
 * @throws ValidationError naming the first value that is missing, blank, undeclared, fixed by the template or too long.
 */
export function paramValues(
  declared: readonly TemplateParam[],
  request: Pick<SendRequest, 'params' | 'paramsPath' | 'isSample'>,
): Record<string, string> {
  const given = new Map(
    Object.entries(request.params).map(([key, value]) => [toNfc(key), toNfc(String(value))]),
  )
  const at = (key: string) => [...request.paramsPath, key]
  const values: [string, string][] = []
  for (const param of declared) {
    const key = toNfc(param.key)
    const value = given.get(key)
    if (param.isFixed) {
      if (value !== undefined) throw invalidField(at(key), 'param.fixed')
      continue
    }
    const limit = maxLengthOf(param)
    if (value === undefined || isBlank(value)) {
      if (!request.isSample) {
        throw invalidField(at(key), value === undefined ? 'any.required' : 'string.empty')
      }
      const sample = toNfc(param.sampleValue || param.label)
      values.push([key, limit === undefined ? sample : [...sample].slice(0, limit).join('')])
      continue
    }
    if (limit !== undefined && codePointLength(value) > limit) {
      throw invalidField(at(key), 'string.max', { limit })
    }
    values.push([key, value])
  }
  const declaredKeys = new Set(declared.map((param) => toNfc(param.key)))
  for (const key of given.keys()) {
    if (!declaredKeys.has(key)) throw invalidField(at(key), 'object.unknown')
  }
  return Object.fromEntries(values)
}

/** The values as they are shown, and stored once the message has ended: OTPs masked (G-25). */
export function maskedParams(
  declared: readonly TemplateParam[],
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  const secret = new Set(declared.filter(isOtp).map((param) => toNfc(param.key)))
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, secret.has(key) ? maskSecret(value) : value]),
  )
}

/** The declared limit in code points, else the technical type's (G-12); an imported param may have neither. */
function maxLengthOf(param: TemplateParam): number | undefined {
  if (param.maxLength !== undefined) return param.maxLength
  const { techSetting } = param
  return techSetting !== undefined && isTechSetting(techSetting)
    ? TECH_SETTINGS[techSetting].maxLength
    : undefined
}
