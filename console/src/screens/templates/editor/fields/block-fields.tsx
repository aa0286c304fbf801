import { ActionIcon, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Select } from '../../../../components/forms/select/select.tsx'
import { useTexts } from '../../../../texts/language.tsx'
import { ListProblems, useEditor, useField } from '../context.tsx'
import { type Block, newRow } from '../draft.ts'
import { useParamField } from '../param-insert.tsx'
import { editorTexts } from '../texts.ts'

export type BlockProps = { block: Block; index: number }

export function ParagraphFields({ index }: BlockProps) {
  const texts = useTexts(editorTexts)
  const label = texts.inBlock(texts.text, index + 1)
  return (
    <Textarea
      aria-label={label}
      placeholder={texts.textHint}
      autosize
      minRows={2}
      {...useParamField(`contentBlocks.${index}.value`, label)}
    />
  )
}

export function TableFields({ block, index }: BlockProps) {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const path = `contentBlocks.${index}.rows`
  return (
    <Stack gap="xs">
      {block.rows.map(({ id }, place) => (
        <RowFields key={id} index={index} path={path} place={place} />
      ))}
      <ListProblems path={path} />
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          aria-label={texts.inBlock(texts.addRow, index + 1)}
          onClick={() => form.insertListItem(path, newRow())}
        >
          {texts.addRow}
        </Button>
      </Group>
    </Stack>
  )
}

function RowFields({ index, path, place }: { index: number; path: string; place: number }) {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const number = place + 1
  const named = (field: string) => texts.inBlock(field, index + 1)
  return (
    <Group align="flex-start" gap="xs">
      <TextInput
        aria-label={named(texts.rowLabel(number))}
        placeholder={texts.rowLabel(number)}
        flex="1 1 120px"
        {...useField(`${path}.${place}.label`)}
      />
      <TextInput
        aria-label={named(texts.rowValue(number))}
        placeholder={texts.rowValue(number)}
        flex="1 1 140px"
        {...useParamField(`${path}.${place}.key`, named(texts.rowValue(number)))}
      />
      <Group gap={4} wrap="nowrap" flex="1 1 180px">
        <ColourSelect label={named(texts.rowColour(number))} path={`${path}.${place}.rowType`} />
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          aria-label={named(texts.removeRow(number))}
          onClick={() => form.removeListItem(path, place)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Group>
  )
}

/** The colour effect (`rowType`, a number) of a row or parameter. */
export function ColourSelect({ label, path }: { label: string; path: string }) {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { value, ...field } = useField(path)
  return (
    <Select
      aria-label={label}
      flex={1}
      allowDeselect={false}
      data={Object.entries(texts.colours).map(([rowType, name]) => ({ value: rowType, label: name }))}
      {...field}
      value={String(value)}
      onChange={(rowType) => form.setFieldValue(path, Number(rowType))}
    />
  )
}
