import type { WorkbookAnswer } from './worker.ts'

/** How the files of Excel begin: the ZIP file that .xlsx is, and .xls of before 2007. */
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const OLD = [0xd0, 0xcf, 0x11, 0xe0]

/** A workbook that cannot be read: of the old format (`.xls`), with a password, or damaged. */
export class UnreadableWorkbook extends Error {}

/**
 * An Excel workbook as a CSV file of its first sheet that has rows; any other file as it is. Formulas are what they came to when
 * the workbook was saved. Read in a worker, so that the page stays usable: 100,000 rows of 7 columns take about 4 s.
 * @throws UnreadableWorkbook
 */
export async function withoutWorkbook(file: File): Promise<File> {
  const first = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer())
  const begins = (bytes: number[]) => bytes.every((byte, at) => first[at] === byte)
  if (begins(OLD)) throw new UnreadableWorkbook('a workbook of the old format')
  if (!begins(ZIP)) return file
  const csv = await readInWorker(await file.arrayBuffer())
  return new File([csv], file.name.replace(/(\.[^.]*)?$/, '.csv'), { type: 'text/csv' })
}

function readInWorker(bytes: ArrayBuffer): Promise<string> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  return new Promise<string>((resolve, reject) => {
    const fail = () => reject(new UnreadableWorkbook('not readable as .xlsx'))
    worker.onmessage = ({ data }: MessageEvent<WorkbookAnswer>) => {
      if ('csv' in data) resolve(data.csv)
      else fail()
    }
    worker.onerror = fail
    worker.postMessage(bytes, [bytes])
  }).finally(() => worker.terminate())
}
