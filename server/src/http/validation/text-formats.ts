import { fullFormats } from 'ajv-formats/dist/formats.js'

const ISO_TEXT =
  /^\d{4}(-\d\d(-\d\d)?([T ](24:00|([01]\d|2[0-3]):\d\d(:\d\d(\.\d+)?)?)(Z|[+-]\d\d(:?\d\d)?)?)?)?$/

/** Whether Joi's `isoDate` would accept the text: an ISO 8601 date or instant, or a bare year, month or day. */
export function isIsoDate(text: string): boolean {
  if (!ISO_TEXT.test(text)) return false
  // JavaScript requires minutes in the offset; ISO 8601 does not.
  const complete = /[T ].*[+-]\d\d$/.test(text) ? `${text}:00` : text
  return !Number.isNaN(new Date(complete).getTime())
}

/**
 * Whether the text can be the address of a picture: http, https, or a path of this service. The browser's own parser
 * decides, so letters of any script are allowed. Executable addresses (`javascript:`, `data:`) are not.
 */
export function isPictureAddress(text: string): boolean {
  if (text === '') return true // `minLength` decides whether it may be empty
  if (/[\p{Cc}\\]/u.test(text)) return false
  return (/^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)) || /^\/(?!\/)/.test(text)
}

/** Whether the text is an absolute URI (RFC 3986). */
export const isUri = fullFormats.uri as (text: string) => boolean
