import { Alert, Text } from '@mantine/core'
import { headingOf } from '../../../components/file-columns/headings.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { customerImportTexts } from './import-texts.ts'
import { chosenTwice, FIELDS, type Field, type Mapping } from './read-customers.ts'

const SKIP = 'skip'
const CELL_WIDTH = 260

/** What each column of the file is. */
export function CustomerColumns(props: {
  header: string[]
  /** The first rows. */
  rows: string[][]
  mapping: Mapping
  isBusy: boolean
  onChange: (mapping: Mapping) => void
}) {
  const { header, rows, mapping, isBusy, onChange } = props
  const texts = useTexts(customerImportTexts)
  const headings = header.map((heading, at) => headingOf(heading, texts.unnamed(at + 1)))
  const choices = [
    { value: SKIP, label: texts.skip },
    ...FIELDS.map((field) => ({ value: field, label: texts.fields[field] })),
  ]
  const notes = [
    ...chosenTwice(mapping).map((field) => texts.twice(texts.fields[field])),
    ...(mapping.includes('fullName') ? [] : [texts.noName]),
  ]
  return (
    <Card title={texts.mapping}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.mappingHint}
      </Text>
      <DataTable
        columns={[
          { title: texts.fileColumn, cell: (at) => headings[at] },
          {
            title: texts.firstValues,
            maxWidth: CELL_WIDTH,
            cell: (at) => {
              const cells = rows.map((row) => row[at] ?? '').join(' · ')
              return (
                <Text size="sm" truncate title={cells}>
                  {cells}
                </Text>
              )
            },
          },
          {
            title: texts.meaning,
            width: CELL_WIDTH,
            cell: (at) => (
              <Select
                aria-label={texts.meaningOf(headings[at]!)}
                data={choices}
                allowDeselect={false}
                disabled={isBusy}
                value={mapping[at] ?? SKIP}
                onChange={(field) => onChange(mapping.with(at, field === SKIP ? null : (field as Field)))}
              />
            ),
          },
        ]}
        rows={header.map((_, at) => at)}
        keyOf={(at) => at}
      />
      {notes.map((note) => (
        <Alert key={note} color="orange" mt="sm">
          {note}
        </Alert>
      ))}
    </Card>
  )
}
