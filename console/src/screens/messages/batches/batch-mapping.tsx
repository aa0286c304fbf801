import { Stack, Text } from '@mantine/core'
import { Select } from '../../../components/forms/select/select.tsx'
import { Card } from '../../../components/page.tsx'
import type { CsvRow } from '../../../csv.ts'
import { useTexts } from '../../../texts/language.tsx'
import type { Template } from '../../templates/editor/draft.ts'
import { ChannelChoice } from '../channel-choice.tsx'
import { batchTexts } from './batch-texts.ts'
import { type Mapping, passedParams } from './plan-batch.ts'

/** Which column fills each place, with the first row's value. */
export function BatchMapping(props: {
  header: CsvRow
  firstRow: CsvRow
  /** True for the shop’s customers, who are reached by phone number. */
  isFixedChannel: boolean
  template: Template
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}) {
  const { header, firstRow, isFixedChannel, template, mapping, onChange } = props
  const texts = useTexts(batchTexts)
  return (
    <Card title={texts.mapping}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.mappingHint}
        </Text>
        {!isFixedChannel && (
          <>
            <ChannelChoice
              channel={mapping.channel}
              onChange={(channel) => onChange({ ...mapping, channel })}
            />
            <ColumnSelect
              label={texts.recipientColumn}
              header={header}
              firstRow={firstRow}
              column={mapping.recipient}
              onChange={(recipient) => onChange({ ...mapping, recipient })}
            />
          </>
        )}
        {passedParams(template).map(({ key, label }) => (
          <ColumnSelect
            key={key}
            label={texts.paramColumn(label)}
            header={header}
            firstRow={firstRow}
            column={mapping.params[key] ?? null}
            onChange={(column) => onChange({ ...mapping, params: { ...mapping.params, [key]: column } })}
          />
        ))}
      </Stack>
    </Card>
  )
}

function ColumnSelect(props: {
  label: string
  header: CsvRow
  firstRow: CsvRow
  column: number | null
  onChange: (column: number | null) => void
}) {
  const { label, header, firstRow, column, onChange } = props
  const sample = column === null ? '' : (firstRow[column] ?? '')
  return (
    <Select
      label={label}
      required
      searchable
      clearable
      allowDeselect={false}
      data={header.map((name, index) => ({
        value: String(index),
        label: name.trim() === '' ? `#${index + 1}` : name,
      }))}
      description={sample}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={column === null ? null : String(column)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  )
}
