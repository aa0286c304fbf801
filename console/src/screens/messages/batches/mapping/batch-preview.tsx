import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../../../components/page.tsx'
import type { CsvRow } from '../../../../csv.ts'
import { formatNumber } from '../../../../format.ts'
import { useLanguage, useTexts } from '../../../../texts/language.tsx'
import { shownOf, type Template } from '../../../templates/editor/draft.ts'
import { Bubble, type Ground, GroundChoice } from '../../../templates/phone.tsx'
import { batchTexts } from '../batch-texts.ts'
import { hasSurplus, type Mapping, misfitReason, passedParams, valuesOf } from '../plan-batch.ts'
import type { Sheet } from '../sheet.ts'

const SHOWN_AT_ONCE = 3

/** The messages of some rows as their customers would receive them, beginning with the first rows. */
export function BatchPreview(props: { sheet: Sheet; template: Template; mapping: Mapping }) {
  const { sheet, template, mapping } = props
  const { rows } = sheet
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const [ground, setGround] = useState<Ground>('light')
  const [place, setPlace] = useState({ rows, from: 0 })
  // A new file begins at its first row.
  const from = place.rows === rows ? place.from : 0
  const some = rows.slice(from, from + SHOWN_AT_ONCE)
  const show = (index: number) => formatNumber(sheet.lines[index]!, language)
  const step = (by: number) => setPlace({ rows, from: from + by })
  return (
    <Card title={texts.previews}>
      <Stack>
        <GroundChoice ground={ground} onChange={setGround} />
        <SimpleGrid cols={{ base: 1, md: SHOWN_AT_ONCE }}>
          {some.map((row, index) => (
            <RowMessage
              key={show(from + index)}
              row={row}
              header={sheet.header}
              line={show(from + index)}
              template={template}
              mapping={mapping}
              ground={ground}
            />
          ))}
        </SimpleGrid>
        {rows.length > SHOWN_AT_ONCE && (
          <Group justify="center">
            <Button variant="default" disabled={from === 0} onClick={() => step(-SHOWN_AT_ONCE)}>
              {texts.previousRows}
            </Button>
            <Text size="sm" role="status">
              {texts.shownRows(show(from), show(from + some.length - 1), show(rows.length - 1))}
            </Text>
            <Button
              variant="default"
              disabled={from + SHOWN_AT_ONCE >= rows.length}
              onClick={() => step(SHOWN_AT_ONCE)}
            >
              {texts.nextRows}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function RowMessage(props: {
  row: CsvRow
  header: CsvRow
  line: string
  template: Template
  mapping: Mapping
  ground: Ground
}) {
  const { row, header, line, template, mapping, ground } = props
  const texts = useTexts(batchTexts)
  const recipient = mapping.recipient === null ? '' : (row[mapping.recipient] ?? '').trim()
  const { values, misfits } = valuesOf(row, mapping)
  const params = passedParams(template)
  // Not the template's sample values: a person would take them for the row's.
  const missing = Object.fromEntries(params.map(({ key, label }) => [key, `[${label}]`]))
  const empty = params.filter(
    ({ key }) => (mapping.params[key] ?? null) !== null && values[key] === undefined,
  )
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} ta="center">
        {texts.row} {line} · {recipient === '' ? texts.noRecipient : recipient}
      </Text>
      {hasSurplus(row, header) ? (
        <Alert color="red" variant="light">
          {texts.surplus(row.length, header.length)}
        </Alert>
      ) : misfits.length > 0 ? (
        <Alert color="red" variant="light">
          {misfits.map((misfit) => misfitReason(misfit, template, texts.misfits)).join('; ')}
        </Alert>
      ) : (
        <Bubble
          shown={shownOf(template)}
          values={{ ...missing, ...values }}
          ground={ground}
          of={`${texts.row} ${line}`}
        />
      )}
      {empty.length > 0 && (
        <Text size="sm" ta="center">
          {texts.emptyFields(empty.map(({ label }) => label).join(', '))}
        </Text>
      )}
    </Stack>
  )
}
