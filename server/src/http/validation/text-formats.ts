import { fullFormats } from 'ajv-formats/dist/formats.js'

const ISO_TEXT =
  /^\d{4}(-\d\d(-\d\d)?([T ](24:00|([01]\d|2[0-3]):\d\d(:\d\d(\.\d+)?)?)(Z|[+-]\d\d(:?\d\d)?)?)?)?$/

/** Whether the text is an ISO 8601 date or instant, as Joi's `isoDate` takes it: a bare year, month or day too. */
export function isIsoDate(text: string): boolean {
  if (!ISO_TEXT.test(text)) return false
  // JavaScript dates want minutes in the offset, ISO 8601 does not.
  const complete = /[T ].*[+-]\d\d$/.test(text) ? `${text}:00` : text
  return !Number.isNaN(new Date(complete).getTime())
}

/**
 * Whether the text can be the address of a picture: http, https, or a path of this service. The browser's parsing
 * decides, so letters of any script are allowed; nothing executable is (`javascript:`, `data:`).
 */
export function isPictureAddress(text: string): boolean {
  if (text === '') return true // its `minLength` says whether it may be
  if (/[\p{Cc}\\]/u.test(text)) return false
  return (/^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)) || /^\/(?!\/)/.test(text)
}

/** Whether the text is an absolute URI (RFC 3986). */
export const isUri = fullFormats.uri as (text: string) => boolean
