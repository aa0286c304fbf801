import { Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { createContext, useContext } from 'react'
import type { Draft } from './draft.ts'
import type { Problems } from './use-problems.ts'

export type DraftForm = UseFormReturnType<Draft>
type Editor = { form: DraftForm; problems: Problems }

const EditorContext = createContext<Editor | undefined>(undefined)
export const EditorProvider = EditorContext.Provider

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (editor === undefined) throw new Error('no template editor above this field')
  return editor
}

const ERROR_ABOVE_HINT: ('label' | 'input' | 'error' | 'description')[] = [
  'label',
  'input',
  'error',
  'description',
]

/** The props of a field: its value, its error, and the platform's warning in place of the hint. */
export function useField(path: string, hint?: string, problemPath = path) {
  const { form, problems } = useEditor()
  const warning = problems.warnings[problemPath]
  return {
    ...form.getInputProps(path),
    inputWrapperOrder: ERROR_ABOVE_HINT,
    error: problems.errors[problemPath],
    description: warning === undefined ? hint : <Warning text={warning} />,
  }
}

function Warning({ text }: { text: string }) {
  return (
    <Text span inherit c="light-dark(#8f3a00, var(--mantine-color-orange-3))">
      {text}
    </Text>
  )
}

/** The problems of a list as a whole. */
export function ListProblems({ path }: { path: string }) {
  const { problems } = useEditor()
  const error = problems.errors[path]
  const warning = problems.warnings[path]
  if (error === undefined && warning === undefined) return null
  return (
    <Stack gap={2} fz="xs">
      {error !== undefined && (
        <Text inherit c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {warning !== undefined && <Warning text={warning} />}
    </Stack>
  )
}
