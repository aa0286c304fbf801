import { randomUUID } from 'node:crypto'
import type { ContentBlock, TemplateDocument } from '../../platform/types.ts'
import { documentOf, documentWith } from './present.ts'
import type { TemplateRow } from './sql.ts'

/**
 * The content of a template in the current format. One in the older format (G-19) gets blocks with new ids, in the
 * order in which it was shown: its paragraphs, its rows as one table, its voucher, its rating.
 */
export function modernDocument(row: TemplateRow): TemplateDocument {
  return documentOf(row) ?? documentWith(row, blocksOf(row))
}

function blocksOf({ paragraphs, tables, voucher, rating }: TemplateRow): ContentBlock[] {
  const rows = (tables ?? [])
    .filter(({ label, key }) => label !== '' && key !== '')
    .map(({ label, key }) => ({ label, key, rowType: 0 }))
  const blocks: Omit<ContentBlock, 'id'>[] = [
    ...(paragraphs ?? [])
      .filter(({ value }) => value !== '')
      .map(({ value }) => ({ type: 'paragraph' as const, value })),
    ...(rows.length === 0 ? [] : [{ type: 'table' as const, rows }]),
    ...(voucher === null ? [] : [{ type: 'voucher' as const, voucher }]),
    ...(rating === null ? [] : [{ type: 'rating' as const, rating }]),
  ]
  return blocks.map((block) => ({ id: randomUUID(), ...block }))
}
