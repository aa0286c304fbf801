import { saveFile } from '../../../../components/download.ts'
import { type CsvRow, writeCsv } from '../../../../csv.ts'
import type { RefusedRow } from '../plan-batch.ts'

/** Saves rows as a CSV file with the columns of their source, and each row's number and reason. */
export function saveRows(
  fileName: string,
  header: CsvRow,
  rows: RefusedRow[],
  texts: { row: string; reason: string },
): void {
  const lines = rows.map(({ fields, line, reason }) => [
    ...header.map((_, column) => fields[column] ?? ''),
    String(line),
    reason,
  ])
  const file = writeCsv([[...header, texts.row, texts.reason], ...lines])
  saveFile(new Blob([file], { type: 'text/csv' }), fileName)
}
