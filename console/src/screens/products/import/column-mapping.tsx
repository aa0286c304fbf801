import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { headingOf } from '../../../components/file-columns/headings.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card } from '../../../components/page.tsx'
import { formatNumber, formatVnd } from '../../../format.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'
import { type Column, chosenTwice, FIELDS, FILE_FIELDS, isMoney, type Mapping, optionOf } from './columns.ts'
import type { Beginning } from './convert-file.ts'
import { columnLabel, importTexts } from './import-texts.ts'
import { readCell } from './read-cell.ts'

const SKIP = 'skip'
/** The option groups that the choice offers, unless the file has more. */
const USUAL_GROUPS = 2
const CODES = ['itemSku', 'barcode', 'skuCode', 'skuBarcode']
const SHORTENED = /^\d([.,]\d+)?E\+\d+$/i
const CELL_WIDTH = 260

/** What each column of the file is, and the first products that result. */
export function ColumnMapping(props: {
  beginning: Beginning
  mapping: Mapping
  onChange: (mapping: Mapping) => void
  isBusy: boolean
  /** Undefined while the file with these columns has been sent. */
  onCheck: (() => void) | undefined
}) {
  const { beginning, mapping, onChange, isBusy, onCheck } = props
  const { header, rows } = beginning
  const texts = useTexts(importTexts)
  const { statuses } = useTexts(productTexts)
  const { language } = useLanguage()
  const headings = header.map((heading, at) => headingOf(heading, texts.unnamed(at + 1)))
  // A spreadsheet often writes empty columns at the end.
  const shown = header.flatMap((heading, at) =>
    heading.trim() === '' && rows.every((row) => (row[at] ?? '').trim() === '') ? [] : [at],
  )
  const twice = chosenTwice(mapping)
  const chosen = mapping.flatMap((column, at) => (column === null ? [] : [{ column, at }]))
  const has = (...columns: Column[]) => chosen.some(({ column }) => columns.includes(column))
  const choices = [
    { value: SKIP, label: texts.skip },
    ...offeredColumns(mapping).map((column) => ({ value: column, label: columnLabel(column, texts) })),
  ]
  const notes = [
    ...twice.map((column) => texts.twice(columnLabel(column, texts))),
    ...(has('name') && has('price') ? [] : [texts.noName]),
    ...(has('productId', 'slug', 'itemSku', 'skuCode') ? [] : [texts.noCode]),
    ...(has('unitCost') && !has('openingStock') ? [texts.costWithoutStock] : []),
    ...(chosen.some(({ column, at }) => CODES.includes(column) && rows.some((row) => isShortened(row[at])))
      ? [texts.shortened]
      : []),
  ]
  return (
    <Card title={texts.mapping}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.mappingHint}
        </Text>
        <DataTable
          columns={[
            { title: texts.fileColumn, cell: (at) => headings[at] },
            {
              title: texts.firstValues,
              maxWidth: CELL_WIDTH,
              cell: (at) => <Cell text={rows.map((row) => row[at] ?? '').join(' · ')} />,
            },
            {
              title: texts.meaning,
              width: CELL_WIDTH,
              cell: (at) => (
                <Select
                  aria-label={texts.meaningOf(headings[at]!)}
                  data={choices}
                  searchable
                  allowDeselect={false}
                  disabled={isBusy}
                  value={mapping[at] ?? SKIP}
                  onChange={(column) =>
                    onChange(mapping.with(at, column === SKIP || column === null ? null : column))
                  }
                />
              ),
            },
          ]}
          rows={shown}
          keyOf={(at) => at}
        />
        {notes.map((note) => (
          <Alert key={note} color="orange">
            {note}
          </Alert>
        ))}
        {chosen.length > 0 && rows.length > 0 && (
          <>
            <Text fw={600}>{texts.preview}</Text>
            <DataTable
              columns={chosen.map(({ column, at }) => ({
                title: columnLabel(column, texts),
                isNumber: isMoney(column) || column === 'openingStock',
                maxWidth: CELL_WIDTH,
                cell: (row: string[]) => <Cell text={shownCell(column, row[at] ?? '', statuses, language)} />,
              }))}
              rows={rows}
              keyOf={(_, at) => at}
              scrolledAs={texts.preview}
            />
          </>
        )}
        {onCheck !== undefined && (
          <Group justify="flex-end">
            <Button loading={isBusy} disabled={twice.length > 0 || chosen.length === 0} onClick={onCheck}>
              {texts.check}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

/** One line of text, with all of it for the pointer. */
function Cell({ text }: { text: string }) {
  return (
    <Text size="sm" truncate title={text}>
      {text}
    </Text>
  )
}

function offeredColumns(mapping: Mapping): Column[] {
  const groups = mapping.map((column) => (column === null ? 0 : (optionOf(column)?.group ?? 0)))
  const count = Math.max(USUAL_GROUPS, ...groups)
  const options = Array.from({ length: count }, (_, at) => [`option${at + 1}Name`, `option${at + 1}Value`])
  return [...FIELDS, ...options.flat(), ...FILE_FIELDS]
}

function isShortened(cell = ''): boolean {
  return SHORTENED.test(cell.trim())
}

function shownCell(
  column: Column,
  cell: string,
  statuses: Record<'active' | 'inactive', string>,
  language: Language,
): string {
  const read = readCell(column, cell)
  if (isMoney(column) && /^\d+(\.\d+)?$/.test(read)) return formatVnd(Number(read), language)
  if (column === 'openingStock' && /^\d+$/.test(read)) return formatNumber(Number(read), language)
  return column === 'status' && (read === 'active' || read === 'inactive') ? statuses[read] : read
}
