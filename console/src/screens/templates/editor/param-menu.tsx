import { Button, Menu, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import { useEditor } from './context.tsx'
import { insertTexts } from './insert-texts.ts'
import { keyOf } from './params.ts'

/** The message's parameters, and a box that names a new one; opened by `target`, and open at first. */
export function ParamMenu(props: {
  target: ReactNode
  onInsert: (key: string) => void
  /** The box was closed without a name. */
  onLeave: () => void
}) {
  const texts = useTexts(insertTexts)
  const { form } = useEditor()
  const { params } = form.values
  const [isNaming, setNaming] = useState(false)
  return (
    <Popover
      opened={isNaming}
      onChange={(isOpen) => {
        setNaming(isOpen)
        if (!isOpen) props.onLeave()
      }}
      trapFocus
      withRoles={false}
      position="bottom-end"
    >
      <Popover.Target>
        <div>
          <Menu defaultOpened returnFocus={false} withInitialFocusPlaceholder={false} position="bottom-end">
            <Menu.Target>{props.target}</Menu.Target>
            <Menu.Dropdown mah={320} maw={320} style={{ overflowY: 'auto' }}>
              {params.map(({ key, label }, index) => (
                <Menu.Item
                  key={key}
                  data-autofocus={index === 0 || undefined}
                  onClick={() => props.onInsert(key)}
                >
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
        <NewParam
          onNamed={(key) => {
            setNaming(false)
            props.onInsert(key)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Asks for the name of a parameter; whatever is typed becomes a key that the texts can hold. */
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
          // The editor around it must not be saved by this Enter.
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
