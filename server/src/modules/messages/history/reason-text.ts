import type { Language } from '../../../http/language.ts'
import { describeRefusal } from '../../../platform/providers.ts'
import { textsIn } from '../../../texts/catalogue.ts'
import { CANCELLED, NOT_SENT, OPTED_OUT, OTP_EXPIRED } from '../outcome/endings.ts'
import { NOT_DELIVERED, RELEASED } from '../outcome/settle-sql.ts'

/** A sentence for staff about a known error number of a provider, else the provider's own text. */
export function refusalText(code: number, platformText: string, language: Language): string {
  return describeRefusal(code, language) ?? platformText
}

/** Why a message ended as ERROR, for its shop (G-25); '' where there is no code. */
export function errorText(code: string | null, platformText: string | null, language: Language): string {
  if (code === null) return ''
  if (code === NOT_SENT) return textsIn(language).platformAway
  if (code === CANCELLED) return textsIn(language).messageCancelled
  if (code === OPTED_OUT) return textsIn(language).messageOptedOut
  if (code === OTP_EXPIRED) return textsIn(language).messageOtpExpired
  if (code === RELEASED) return textsIn(language).messageReleased
  if (code === NOT_DELIVERED) return textsIn(language).messageNotDelivered
  return refusalText(Number(code), platformText ?? '', language)
}
