import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import { useField } from './context.tsx'
import { insertTexts } from './insert-texts.ts'

const ParamMenu = lazy(async () => ({ default: (await import('./param-menu.tsx')).ParamMenu }))

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

/** A menu and a box for each field of a message would be slow to fetch and render: the button loads them when first pressed. */
function ParamInsert(props: {
  label: string
  input: RefObject<TextField | null>
  caret: RefObject<Caret | undefined>
}) {
  const texts = useTexts(insertTexts)
  const [isAsked, setIsAsked] = useState(false)
  const button = (
    <ActionIcon variant="subtle" color="gray" aria-haspopup="menu" onClick={() => setIsAsked(true)}>
      <IconBraces size={16} aria-hidden />
      <VisuallyHidden>{texts.insertInto(props.label)}</VisuallyHidden>
    </ActionIcon>
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <ParamMenu
        target={button}
        onInsert={(key) => {
          if (props.input.current !== null) putAtCaret(props.input.current, props.caret.current, `<${key}>`)
        }}
        onLeave={() => props.input.current?.focus()}
      />
    </Suspense>
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
