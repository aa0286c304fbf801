import { ERASED } from '../../lib/text/erased.ts'

/** Characters that people write between the digits of a number. */
const GAP = '[\\s().\\-\\u2010-\\u2015]{0,3}'
const digit = (d: string) => `[${d}${String.fromCharCode(d.charCodeAt(0) - 0x30 + 0xff10)}]`
const spaced = (digits: string) => [...digits].map(digit).join(GAP)

/** How one person's number is found and erased in texts, in any spelling that people and systems use (G-78). */
export type Spellings = {
  /** A PostgreSQL regular expression that matches every spelling, and some other digits too. */
  pattern: string
  eraseInText(text: string): string
  /** Erases the number in JSON text: in strings and keys, and where a JSON number is the phone number. */
  eraseInJson(json: string): string
}

/**
 * The spellings of a number as it is stored (`84…`, G-22): with `+`, `00` or nothing before the country code, with
 * `+84 (0)`, with 0 or without a prefix, with spaces, dots, hyphens and brackets between its digits, in full-width
 * digits. It does not match inside a longer number, nor, without a prefix, inside a hexadecimal id.
 */
export function spellingsOf(phone: string): Spellings {
  const isVietnamese = phone.startsWith('84')
  const national = isVietnamese ? phone.slice(2) : phone
  const core = spaced(national)
  const begins = isVietnamese
    ? [`(?:\\+|${spaced('00')})?${GAP}${spaced('84')}${GAP}(?:\\(0\\)${GAP})?`, `${digit('0')}${GAP}`]
    : [`\\+${GAP}`, `${spaced('00')}${GAP}`]
  const [before, after] = ['(?<![0-9０-９])', '(?![0-9０-９])']
  const spelled = `${before}(?:${begins.join('|')})${core}${after}|(?<![0-9a-f０-９])${core}(?![0-9a-f０-９])`
  const eraseInText = (text: string) => text.replace(new RegExp(spelled, 'g'), ERASED)
  return {
    pattern: core,
    eraseInText,
    eraseInJson: (json) =>
      json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
        if (!token.startsWith('"')) return token === phone ? JSON.stringify(ERASED) : token
        const text: string = JSON.parse(token)
        const erased = eraseInText(text)
        return erased === text ? token : JSON.stringify(erased)
      }),
  }
}
