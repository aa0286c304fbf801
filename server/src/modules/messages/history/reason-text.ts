import type { Language } from '../../../http/language.ts'
import { classOfCode, describeCode } from '../../../platform/error-codes.ts'
import { textsIn } from '../../../texts/catalogue.ts'
import { CANCELLED, NOT_SENT } from '../outcome/endings.ts'
import { RELEASED } from '../outcome/settle-sql.ts'

/** A sentence for staff on a number of the platform that we know; else the platform's own words. */
export function refusalText(code: number, platformText: string, language: Language): string {
  return classOfCode(code) === 'other' ? platformText : describeCode(code, language)
}

/** Why a message ended as ERROR, for its shop (G-25); '' where there is no code. */
export function errorText(code: string | null, platformText: string | null, language: Language): string {
  if (code === null) return ''
  if (code === NOT_SENT) return textsIn(language).platformAway
  if (code === CANCELLED) return textsIn(language).messageCancelled
  if (code === RELEASED) return textsIn(language).messageReleased
  return refusalText(Number(code), platformText ?? '', language)
}
