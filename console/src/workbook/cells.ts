import { writeCsv } from '../csv.ts'

/** A cell as the library reads it. */
export type Cell = string | number | boolean | Date | null | undefined

/** The rows of the first sheet that has any, as a CSV text with commas; empty if no sheet has rows. */
export function csvOfSheets(sheets: readonly { rows: readonly (readonly Cell[])[] }[]): string {
  const rows = sheets.find((sheet) =>
    sheet.rows.some((row) => row.some((cell) => cellText(cell).trim() !== '')),
  )?.rows
  return rows === undefined
    ? ''
    : writeCsv(
        rows.map((row) => row.map(cellText)),
        ',',
      )
}

/** What a cell says, as it would be typed: a number without separators, a day as `24/11/1990`. */
export function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return dateText(cell)
  return typeof cell === 'number' ? numberText(cell) : String(cell)
}

/** Never with exactly three digits after the point, which would be read as thousands: 333.333 is `333.3330`. */
function numberText(number: number): string {
  const text = String(number)
  return /\.\d{3}$/.test(text) ? `${text}0` : text
}

/** A workbook's times have no zone; the library gives them in UTC. */
function dateText(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  return time === '00:00' ? day : `${day} ${time}`
}
