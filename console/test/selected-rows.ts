import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { parseCsv } from '../src/csv.ts'
import type { Console } from './support.ts'

/** A function that calls the shop's API, expects success and returns the response's data. */
export const callOf = (shop: Console) => async (method: string, path: string, body?: object) => {
  const answer = await shop.api(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}

/** What is shown of selected rows: their bar, its buttons, and the dialog of an action. */
export const bar = (page: Page) => page.getByRole('region', { name: 'Thao tác với các dòng đã chọn' })
export const press = (page: Page, name: string) =>
  bar(page).getByRole('button', { name, exact: true }).click()
export const ended = (page: Page, name: string) => page.getByRole('dialog', { name })
/** The file that `act` downloads: its headings, and the cells below one of them. */
export async function download(page: Page, act: () => Promise<void>) {
  const downloading = page.waitForEvent('download')
  await act()
  const [headings, ...rows] = parseCsv(await readFile(await (await downloading).path(), 'utf8'))
  return {
    headings: headings!,
    cellsOf: (heading: string) => rows.map((row) => row[headings!.indexOf(heading)]),
  }
}
export const downloadAll = (page: Page) =>
  download(page, () => page.getByRole('button', { name: 'Xuất CSV', exact: true }).click())
export const downloadSelected = (page: Page) => download(page, () => press(page, 'Xuất CSV đã chọn'))
