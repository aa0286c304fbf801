import { ActionIcon, Button, Menu, Popover, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconBraces, IconPlus } from '@tabler/icons-react'
import { type RefObject, useRef, useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import { useEditor, useField } from './context.tsx'
import { insertTexts } from './insert-texts.ts'
import { keyOf } from './params.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement
type Caret = { from: number; to: number }

/**
 * The props of a field whose text may contain parameters: those of {@link useField}, and a button in it that inserts a
 * parameter at the caret. `label` names the field for screen readers.
 */
export function useParamField(path: string, label: string, hint?: string) {
  const input = useRef<TextField>(null)
  const caret = useRef<Caret>(undefined)
  return {
    ...useField(path, hint),
    ref: (element: TextField | null) => {
      input.current = element
    },
    onBlur: ({ currentTarget: { selectionStart, selectionEnd } }: { currentTarget: TextField }) => {
      if (selectionStart !== null && selectionEnd !== null)
        caret.current = { from: selectionStart, to: selectionEnd }
    },
    rightSection: <ParamInsert label={label} input={input} caret={caret} />,
    // In a field with several lines, the button stays at the first line.
    rightSectionProps: { style: { alignItems: 'flex-start', paddingTop: 4 } },
  }
}

function ParamInsert(props: {
  label: string
  input: RefObject<TextField | null>
  caret: RefObject<Caret | undefined>
}) {
  const texts = useTexts(insertTexts)
  const { form } = useEditor()
  const { params } = form.values
  const [isNaming, setNaming] = useState(false)
  const insert = (key: string) => {
    setNaming(false)
    if (props.input.current !== null) putAtCaret(props.input.current, props.caret.current, `<${key}>`)
  }
  return (
    <Popover
      opened={isNaming}
      onChange={(isOpen) => {
        setNaming(isOpen)
        if (!isOpen) props.input.current?.focus()
      }}
      trapFocus
      withRoles={false}
      position="bottom-end"
    >
      <Popover.Target>
        <div>
          <Menu returnFocus={false} withInitialFocusPlaceholder={false} position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray">
                <IconBraces size={16} aria-hidden />
                <VisuallyHidden>{texts.insertInto(props.label)}</VisuallyHidden>
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown mah={320} maw={320} style={{ overflowY: 'auto' }}>
              {params.map(({ key, label }, index) => (
                <Menu.Item key={key} data-autofocus={index === 0 || undefined} onClick={() => insert(key)}>
                  {label === '' ? key : label}
                  <Text size="xs" c="dimmed">{`<${key}>`}</Text>
                </Menu.Item>
              ))}
              <Menu.Item
                data-autofocus={params.length === 0 || undefined}
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => setNaming(true)}
              >
                {texts.newParam}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.newParam}>
        <NewParam onNamed={insert} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Asks for the name of a parameter. Any input becomes a key that texts can contain. */
function NewParam({ onNamed }: { onNamed: (key: string) => void }) {
  const texts = useTexts(insertTexts)
  const [name, setName] = useState('')
  const key = keyOf(name)
  return (
    <Stack gap="xs" maw={280}>
      <TextInput
        label={texts.paramName}
        description={key === '' ? texts.paramNameHint : texts.written(key)}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          // This Enter must not save the editor's form.
          event.preventDefault()
          if (key !== '') onNamed(key)
        }}
      />
      <Button size="xs" disabled={key === ''} onClick={() => onNamed(key)}>
        {texts.insert}
      </Button>
    </Stack>
  )
}

/**
 * Inserts the text into the field where the caret was when the field was left, or at the end if it was never there. As
 * typing does, this replaces the selection and can be undone.
 */
function putAtCaret(field: TextField, caret: Caret | undefined, text: string): void {
  const { from, to } = caret ?? { from: field.value.length, to: field.value.length }
  field.focus()
  field.setSelectionRange(from, to)
  // Deprecated, but nothing else keeps the browser's undo history.
  document.execCommand('insertText', false, text)
}
