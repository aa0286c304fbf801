import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Fragment, useState } from 'react'
import { Select } from '../../../../components/forms/select/select.tsx'
import { Card } from '../../../../components/page.tsx'
import type { CsvRow } from '../../../../csv.ts'
import { useTexts } from '../../../../texts/language.tsx'
import type { Template } from '../../../templates/editor/draft.ts'
import { ChannelChoice } from '../../channel-choice.tsx'
import { batchTexts } from '../batch-texts.ts'
import { type ChosenForm, LONGEST, type Mapping, passedParams, type Source } from '../plan-batch.ts'
import type { FormChoice } from './form-choices.ts'

/** What fills each place: a column, with the first row's value, or one text for all rows. */
export function BatchMapping(props: {
  header: CsvRow
  firstRow: CsvRow
  /** True for the shop’s customers, who are reached by phone number. */
  isFixedChannel: boolean
  template: Template
  mapping: Mapping
  choices: Record<string, FormChoice>
  onChange: (mapping: Mapping) => void
}) {
  const { header, firstRow, isFixedChannel, template, mapping, choices, onChange } = props
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
              chosen={choiceOf(mapping.recipient)}
              onChoose={(recipient) => onChange({ ...mapping, recipient: columnOf(recipient) })}
            />
          </>
        )}
        {passedParams(template).map(({ key, label }) => (
          <Fragment key={key}>
            <ParamSource
              label={label}
              header={header}
              firstRow={firstRow}
              source={mapping.params[key] ?? null}
              onChange={(source) => onChange(withSource(mapping, key, source))}
            />
            <FormSelect
              label={label}
              choice={choices[key]}
              chosen={mapping.forms?.[key]}
              onChoose={(form) => onChange({ ...mapping, forms: { ...mapping.forms, [key]: form } })}
            />
          </Fragment>
        ))}
      </Stack>
    </Card>
  )
}

/** A form was chosen for the values of one column, so another column begins without it. */
function withSource(mapping: Mapping, key: string, source: Source): Mapping {
  const { [key]: _, ...forms } = mapping.forms ?? {}
  return { ...mapping, params: { ...mapping.params, [key]: source }, forms }
}

/** The form of a parameter's values; nothing where no other form than the file's is likely. */
function FormSelect(props: {
  label: string
  choice: FormChoice | undefined
  chosen: ChosenForm | undefined
  onChoose: (form: ChosenForm) => void
}) {
  const { label, choice, chosen, onChoose } = props
  const texts = useTexts(batchTexts)
  if (choice === undefined || (choice.offered.length === 0 && chosen === undefined)) return null
  const form = chosen ?? choice.preselected ?? 'asGiven'
  // A corrected file may no longer suggest the form that was chosen.
  const all = new Set<ChosenForm>(['asGiven', ...choice.offered, form])
  return (
    <Select
      label={texts.form(label)}
      allowDeselect={false}
      data={[...all].map((one) => ({ value: one, label: texts.forms[one] }))}
      value={form}
      onChange={(next) => next !== null && onChoose(next as ChosenForm)}
    />
  )
}

/** The choice that stands for one text for all rows; columns are chosen by their index. */
const ONE_TEXT = 'text'

/** What fills a parameter: a column, or one text that all messages have. */
function ParamSource(props: {
  label: string
  header: CsvRow
  firstRow: CsvRow
  source: Source
  onChange: (source: Source) => void
}) {
  const { label, header, firstRow, source, onChange } = props
  const texts = useTexts(batchTexts)
  const hasText = source !== null && typeof source === 'object'
  return (
    <>
      <ColumnSelect
        label={texts.paramColumn(label)}
        header={header}
        firstRow={firstRow}
        chosen={hasText ? ONE_TEXT : choiceOf(source)}
        more={[{ value: ONE_TEXT, label: texts.sameForAll }]}
        onChoose={(choice) => onChange(choice === ONE_TEXT ? { text: '' } : columnOf(choice))}
      />
      {hasText && (
        <OneText label={texts.sameText(label)} text={source.text} onSettle={(text) => onChange({ text })} />
      )}
    </>
  )
}

/** Every row is read again for a new text, so each key would hold up the next one in a large file. */
const SETTLES_MS = 300

/** The text that all messages have, reported when it is typed. */
function OneText(props: { label: string; text: string; onSettle: (text: string) => void }) {
  const { label, onSettle } = props
  const [text, setText] = useState(props.text)
  const settle = useDebouncedCallback(onSettle, SETTLES_MS)
  return (
    <TextInput
      label={label}
      required
      autoFocus
      maxLength={LONGEST.value}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        settle(event.currentTarget.value)
      }}
    />
  )
}

const choiceOf = (column: number | null) => (column === null ? null : String(column))
const columnOf = (choice: string | null) => (choice === null ? null : Number(choice))

/** Chooses a column, as the text of its index, or one of `more`. */
function ColumnSelect(props: {
  label: string
  header: CsvRow
  firstRow: CsvRow
  chosen: string | null
  more?: { value: string; label: string }[]
  onChoose: (choice: string | null) => void
}) {
  const { label, header, firstRow, chosen, more = [], onChoose } = props
  const columns = header.map((name, index) => ({
    value: String(index),
    label: name.trim() === '' ? `#${index + 1}` : name,
  }))
  return (
    <Select
      label={label}
      required
      searchable
      clearable
      allowDeselect={false}
      data={[...columns, ...more]}
      description={chosen === null ? '' : (firstRow[Number(chosen)] ?? '')}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={chosen}
      onChange={onChoose}
    />
  )
}
