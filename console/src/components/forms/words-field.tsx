import { Pill, PillsInput, type PillsInputProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

/**
 * Words, each ended by Enter, a comma or by leaving the field; Backspace takes the last one away. Mantine's own field for
 * this brings a picker with it, 30 KB.
 */
export function WordsField(
  props: Omit<PillsInputProps, 'value' | 'onChange'> & {
    value?: string[]
    onChange: (words: string[]) => void
    placeholder?: string
    /** The path by which a list of problems finds the field. */
    'data-path'?: string
  },
) {
  const { value = [], onChange, placeholder, disabled = false, 'data-path': path, ...input } = props
  const [typed, setTyped] = useState('')

  function add(text: string): void {
    setTyped('')
    const words = withWords(value, text)
    if (words.length > value.length) onChange(words)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || (event.key === ',' && typed.trim() !== '')) {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && value.length > 0) {
      onChange(value.slice(0, -1))
    }
  }
  return (
    <PillsInput {...input} disabled={disabled}>
      <Pill.Group disabled={disabled}>
        {value.map((word) => (
          <Pill
            key={word}
            withRemoveButton
            onRemove={() => onChange(value.filter((other) => other !== word))}
          >
            {word}
          </Pill>
        ))}
        <PillsInput.Field
          data-path={path}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => add(typed)}
          onPaste={(event) => {
            event.preventDefault()
            add(typed + event.clipboardData.getData('text/plain'))
          }}
        />
      </Pill.Group>
    </PillsInput>
  )
}

/** Adds the comma-separated words of a text; words that are already in the list, ignoring case, are left out. */
function withWords(words: string[], text: string): string[] {
  const all = [...words]
  for (const part of text.split(',')) {
    const word = part.trim()
    if (word !== '' && !all.some((other) => other.toLowerCase() === word.toLowerCase())) all.push(word)
  }
  return all
}
