import { Box, Button, type ButtonProps, Group, getDefaultZIndex, type ModalProps } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { Dialog } from './dialog.tsx'

/** A dialog over the page and its other dialogs. With `labels`, it is a question with two answer buttons. */
type Question = Omit<ModalProps, 'opened' | 'onClose'> & {
  labels?: { confirm: string; cancel: string }
  confirmProps?: ButtonProps
  onConfirm?: () => void
  /** Called however the dialog is closed, also after `onConfirm`. */
  onClose?: () => void
}

let asked: readonly Question[] = []
const listeners = new Set<() => void>()

function set(questions: readonly Question[]): void {
  asked = questions
  for (const listener of listeners) listener()
}

/**
 * Asks a question.
 * @returns a function that closes it.
 */
export function ask(question: Question): () => void {
  set([...asked, question])
  return () => close(question)
}

function close(question: Question): void {
  if (!asked.includes(question)) return
  set(asked.filter((one) => one !== question))
  question.onClose?.()
}

/** The open questions; the last one is on top. */
export function useQuestions(): readonly Question[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
}

/** The place in the page where questions are shown. */
export function Questions() {
  const top = useQuestions().at(-1)
  // The question stays rendered while it fades out.
  const [shown, setShown] = useState(top)
  if (top !== undefined && top !== shown) setShown(top)
  if (shown === undefined) return null
  const { labels, confirmProps, onConfirm, onClose, children, ...rest } = shown
  return (
    <Dialog
      zIndex={getDefaultZIndex('modal') + 1}
      {...rest}
      opened={top !== undefined}
      onClose={() => close(shown)}
    >
      {labels === undefined ? (
        children
      ) : (
        <>
          <Box mb="md">{children}</Box>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close(shown)}>
              {labels.cancel}
            </Button>
            <Button
              {...confirmProps}
              onClick={() => {
                // While the dialog fades out, a second press finds no question.
                if (!asked.includes(shown)) return
                onConfirm?.()
                close(shown)
              }}
            >
              {labels.confirm}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  )
}
