import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'

const SEARCH_AFTER_MS = 250

/**
 * A list's search box: what is typed is reported once typing pauses; a search that goes away empties it. `hint` says what
 * can be searched for, in the box and to a screen reader, where there is no label.
 */
export function SearchField(
  props: Omit<TextInputProps, 'value' | 'onChange'> & {
    value: string
    onSearch: (text: string) => void
    hint?: string
  },
) {
  const { value, onSearch, hint, ...rest } = props
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const reported = useRef(value)
  if (shown !== value) {
    setShown(value)
    // Not by this field: a link or the way back.
    if (reported.current !== value) setText(value)
  }
  const report = useDebouncedCallback((typed: string) => {
    reported.current = typed
    onSearch(typed)
  }, SEARCH_AFTER_MS)
  return (
    <TextInput
      leftSection={<IconSearch size={16} aria-hidden />}
      {...(hint === undefined ? {} : { 'aria-label': hint, placeholder: hint })}
      {...rest}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        report(event.currentTarget.value)
      }}
    />
  )
}
