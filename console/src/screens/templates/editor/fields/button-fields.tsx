import { ActionIcon, Button, Group, Paper, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Select } from '../../../../components/forms/select/select.tsx'
import { Card } from '../../../../components/page.tsx'
import { useTexts } from '../../../../texts/language.tsx'
import { ListProblems, useEditor, useField } from '../context.tsx'
import { newButton } from '../draft.ts'
import { useParamField } from '../param-insert.tsx'
import { editorTexts } from '../texts.ts'

const MAX_BUTTONS = 3

export function ButtonFields() {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { buttons } = form.values
  return (
    <Card title={texts.buttons}>
      <Stack>
        {buttons.map(({ id }, index) => (
          <OneButton key={id} index={index} />
        ))}
        <ListProblems path="buttons" />
        {buttons.length < MAX_BUTTONS && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => form.insertListItem('buttons', newButton())}
            >
              {texts.addButton}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function OneButton({ index }: { index: number }) {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const number = index + 1
  return (
    <Paper withBorder p="sm">
      <Group align="flex-start" wrap="nowrap">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs" flex={1}>
          <TextInput label={texts.buttonLabel(number)} required {...useField(`buttons.${index}.label`)} />
          <Select
            label={texts.buttonType(number)}
            allowDeselect={false}
            data={Object.entries(texts.buttonTypes).map(([value, label]) => ({ value, label }))}
            {...useField(`buttons.${index}.type`)}
          />
          <TextInput
            label={texts.buttonValue(number)}
            {...useParamField(`buttons.${index}.value`, texts.buttonValue(number))}
          />
        </SimpleGrid>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={texts.removeButton(number)}
          onClick={() => form.removeListItem('buttons', index)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Paper>
  )
}
