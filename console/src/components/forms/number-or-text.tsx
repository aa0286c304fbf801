import { NumberInput, type NumberInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ClipboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { pastedAmount } from './amount.ts'

/**
 * A field for a number which keeps what is no number as text: a number field drops letters, which makes 20 of `20k`. What is
 * typed or pasted with a sign that is not `isPlain` is reported with `onText` as the whole content, and shown as `text` until
 * `onLeave` lets the field be a number again.
 */
export function NumberOrText(
  props: TextInputProps & {
    text: string | null
    isPlain: RegExp
    onText: (content: string) => void
    onLeave: () => void
    /** What only a number field has. */
    number: NumberInputProps
  },
) {
  const { text, isPlain, onText, onLeave, number, ref, onBlur, ...rest } = props
  const [field, setField] = useState<HTMLInputElement | null>(null)
  const caret = useRef<number>(undefined)
  const isText = text !== null
  const merged = useMergedRef(ref, setField)

  function insert(data: string): void {
    const { value, selectionStart, selectionEnd } = field!
    const bare = (part: string) => part.replace(/\s*₫\s*/g, '')
    const before = bare(value.slice(0, selectionStart ?? value.length) + data)
    caret.current = before.length
    onText(before + bare(value.slice(selectionEnd ?? value.length)))
  }
  const look = useEffectEvent((event: InputEvent) => {
    const { data } = event
    if (isText || data === null || event.isComposing || isPlain.test(data)) return
    event.preventDefault()
    const digits = data.normalize('NFKC')
    if (isPlain.test(digits)) document.execCommand('insertText', false, digits)
    else insert(data)
  })
  useEffect(() => {
    const listen = (event: InputEvent) => look(event)
    field?.addEventListener('beforeinput', listen)
    return () => field?.removeEventListener('beforeinput', listen)
  }, [field])
  // The text field has just replaced the one in which somebody types; at first, `field` is still that one.
  useLayoutEffect(() => {
    if (!isText || !field?.isConnected || caret.current === undefined) return
    field.focus()
    field.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [isText, field])

  if (isText)
    return (
      <TextInput
        {...rest}
        ref={merged}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onBlur={(event) => {
          onLeave()
          onBlur?.(event)
        }}
      />
    )
  return (
    <NumberInput
      {...(rest as NumberInputProps)}
      {...number}
      {...(onBlur === undefined ? {} : { onBlur })}
      ref={merged}
      onPasteCapture={(event: ClipboardEvent) => {
        const pasted = event.clipboardData.getData('text')
        const amount = pastedAmount(pasted)
        event.preventDefault()
        event.stopPropagation()
        if (amount !== undefined) document.execCommand('insertText', false, amount)
        else if (pasted.trim() !== '') insert(pasted.trim())
      }}
    />
  )
}

type Kept = { content: string; reported: number | null; before: unknown }

/**
 * The text of a field whose number is `value`: `read` gives the number that it means, if any, which is reported. The text ends when
 * the field is left with a number or nothing in it, and when the value is changed from elsewhere.
 */
export function useNumberText(
  value: unknown,
  read: (content: string) => number | null,
  report: (number: number | null) => void,
) {
  const [kept, setKept] = useState<Kept | null>(null)
  const isCurrent = kept !== null && (value === kept.reported || value === kept.before)
  if (kept !== null && !isCurrent) setKept(null)
  return {
    text: isCurrent ? kept.content : null,
    onText(content: string) {
      const reported = read(content)
      setKept({ content, reported, before: value })
      report(reported)
    },
    onLeave() {
      if (kept !== null && (kept.reported !== null || kept.content.trim() === '')) setKept(null)
    },
  }
}
