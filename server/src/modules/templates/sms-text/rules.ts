import { invalidField } from '../../../errors.ts'
import { fillParams, isTechSetting, paramKeysIn, TECH_SETTINGS } from '../../../lib/text/params.ts'
import { type SmsSize, smsSize } from '../../../lib/text/sms-parts.ts'
import { toNfc } from '../../../lib/text/text.ts'
import type { TemplateParam } from '../../../platform/types.ts'

/** A text that may become more SMS than this is refused: the shop pays for each one. */
const MOST_PARTS = 10

/** The size of a text as SMS with the sample values, and the most parts that it can have with any values. */
export type SmsTextSize = SmsSize & { mostParts: number }

/** A letter that only the larger SMS alphabet contains. */
const WIDE = 'ệ'

/**
 * The text as it is stored, in NFC and trimmed, with its size.
 * @throws ValidationError for a blank text, a param that the template does not declare, or a text that may become more
 *   than {@link MOST_PARTS} SMS.
 */
export function checkedSmsText(
  given: string,
  declared: readonly TemplateParam[],
): { text: string; size: SmsTextSize } {
  const text = toNfc(given).trim()
  if (text === '') throw invalidField(['text'], 'string.empty')
  const known = new Set(declared.map(({ key }) => toNfc(key)))
  const unknown = paramKeysIn(text).find((key) => !known.has(key))
  if (unknown !== undefined) throw invalidField(['text'], 'sms.param', { key: unknown })
  const size = smsTextSize(text, declared)
  if (size.mostParts > MOST_PARTS) throw invalidField(['text'], 'sms.parts', { limit: MOST_PARTS })
  return { text, size }
}

/** The size of a text with params as SMS. */
export function smsTextSize(text: string, declared: readonly TemplateParam[]): SmsTextSize {
  const sample = (param: TemplateParam) => toNfc(param.sampleValue || param.label)
  const filled = (value: (param: TemplateParam) => string) =>
    smsSize(fillParams(text, Object.fromEntries(declared.map((param) => [toNfc(param.key), value(param)]))))
  const longest = filled((param) => (param.isFixed ? sample(param) : WIDE.repeat(longestOf(param))))
  return { ...filled(sample), mostParts: longest.parts }
}

/** The longest value of a param, in code points. An imported param may have no limit of its own. */
function longestOf({ maxLength, techSetting }: TemplateParam): number {
  if (maxLength !== undefined) return maxLength
  const longest = Math.max(...Object.values(TECH_SETTINGS).map((type) => type.maxLength))
  return techSetting !== undefined && isTechSetting(techSetting)
    ? TECH_SETTINGS[techSetting].maxLength
    : longest
}
