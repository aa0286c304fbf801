import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { SEARCH_MARK } from './list-keys.ts'

const SEARCH_AFTER_MS = 250

/**
 * A list's search box. It reports the text once typing pauses, and becomes empty when the search is cleared elsewhere.
 * `hint` says what can be searched for, as the placeholder and, without a label, to screen readers.
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
    // The value was changed from outside, by a link or the back button.
    if (reported.current !== value) setText(value)
    reported.current = value
  }
  const report = useDebouncedCallback((typed: string) => {
    reported.current = typed
    onSearch(typed)
  }, SEARCH_AFTER_MS)
  return (
    <TextInput
      leftSection={<IconSearch size={16} aria-hidden />}
      {...(hint === undefined ? {} : { 'aria-label': hint, placeholder: hint })}
      {...SEARCH_MARK}
      {...rest}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        report(event.currentTarget.value)
      }}
    />
  )
}
