import { readXlsx } from 'hucre/xlsx'
import { csvOfSheets } from './cells.ts'

/** What the worker answers: the sheet as CSV, or that the file is no workbook that can be read. */
export type WorkbookAnswer = { csv: string } | { isUnreadable: true }

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>) => {
  const answer: WorkbookAnswer = await readXlsx(data).then(
    ({ sheets }) => ({ csv: csvOfSheets(sheets) }),
    () => ({ isUnreadable: true }),
  )
  self.postMessage(answer)
}
