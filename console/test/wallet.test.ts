import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parseCsv } from '../src/csv.ts'
import { startConsole } from './support.ts'

const shop = await startConsole()

it.each([
  ['vi-VN', 'Sao kê tháng (CSV)', ['Thời điểm', 'Loại', 'Phát sinh'], 'Tạm giữ phí'],
  ['en-GB', 'Monthly statement (CSV)', ['When', 'Type', 'Balance change'], 'Fee held'],
])(
  'G-121 the statement of a month has the words of %s and times in Vietnam',
  async (locale, name, first, held) => {
    const page = await shop.open('/wallet', { locale })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ])
    const [headings, ...rows] = parseCsv(await readFile(await file.path(), 'utf8'))
    expect(headings!.slice(0, 3)).toEqual(first)
    // Early in a month it may have no rows.
    for (const [when, type] of rows) {
      expect(when).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d$/)
      expect(type).not.toContain('_')
    }
    if (rows.length > 0) expect(rows.map(([, type]) => type)).toContain(held)
  },
)
