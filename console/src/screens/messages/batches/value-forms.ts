import { amountIn, MOST_VND } from '../../../components/forms/amount.ts'
import { readDay, readMoment, writeDay, writeMoment } from '../../../dates.ts'

/** How the values of a parameter are written in messages, if not as they are in the file. */
export type ValueForm = 'amount' | 'number' | 'day'

/**
 * A value as customers read it, in Vietnamese whatever the language of the screen; undefined if it is not an amount, number or day.
 * What is already written so stays.
 */
export function writeValue(form: ValueForm, text: string): string | undefined {
  switch (form) {
    case 'amount':
      return writeAmount(text)
    case 'number':
      return writeNumber(text)
    case 'day':
      return writeDate(text)
  }
}

/** `1.250.000đ`, as the service writes the amounts of an audience's customers. */
function writeAmount(text: string): string | undefined {
  const vnd = amountIn(text)
  return vnd === undefined || Math.abs(vnd) > MOST_VND ? undefined : `${grouped(String(vnd))}đ`
}

const GROUPED = /^([-−]?)([1-9]\d{0,2}([.,\s])\d{3}(?:\3\d{3})*)(?:(?!\3)[.,](\d+))?$/
const PLAIN = /^([-−]?)(0|[1-9]\d*)()(?:[.,](\d+))?$/

/**
 * `1.250,5`, with every digit of the text. Three digits after the only separator are thousands, as elsewhere in the console. A number
 * with a zero in front, such as a phone number, is none.
 */
function writeNumber(text: string): string | undefined {
  const bare = text.normalize('NFKC').trim()
  const [, sign, whole, , decimals] = GROUPED.exec(bare) ?? PLAIN.exec(bare) ?? []
  if (whole === undefined) return undefined
  return `${sign && '-'}${grouped(whole.replace(/\D/g, ''))}${decimals === undefined ? '' : `,${decimals}`}`
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, '.')
}

/** `30/11/2026`, with the time of day if it is not midnight, which programs write for a day without one. */
function writeDate(text: string): string | undefined {
  const bare = text.trim().replace(/(:\d{2}):\d{2}(?:\.\d+)?$/, '$1')
  const moment = readMoment(bare)
  if (moment !== undefined) return writeMoment(moment.replace(/T00:00$/, ''))
  // `readDay` would drop a time that does not exist.
  const day = bare.includes(':') ? undefined : readDay(bare)
  return day && writeDay(day)
}
