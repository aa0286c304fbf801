import { type ModalProps, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { createContext, useCallback, useContext, useEffect, useId } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { ask, useQuestions } from '../dialogs/questions.tsx'

/** The components with unsaved changes by id, and the dialog that each is in. */
const unsaved = new Map<string, string | undefined>()
const DialogContext = createContext<string | undefined>(undefined)

export function hasUnsaved(): boolean {
  return unsaved.size > 0
}

/** Lets the page be left without a question. */
export function forgetUnsaved(): void {
  unsaved.clear()
}

/**
 * While `isDirty`, leaving the page or closing the dialog asks for confirmation.
 * @returns a function that ends this at once, for code that leaves right after saving.
 */
export function useLeaveQuestion(isDirty: boolean): () => void {
  const id = useId()
  const dialog = useContext(DialogContext)
  useEffect(() => {
    if (isDirty) unsaved.set(id, dialog)
    else unsaved.delete(id)
  }, [id, dialog, isDirty])
  useEffect(() => () => void unsaved.delete(id), [id])
  return useCallback(() => void unsaved.delete(id), [id])
}

/** Asks whether to discard the changes; resolves to true if so. */
function useDiscardQuestion(): () => Promise<boolean> {
  const texts = useTexts(common)
  return useCallback(
    () =>
      new Promise((resolve) => {
        ask({
          title: texts.confirmTitle,
          children: <Text size="sm">{texts.discardQuestion}</Text>,
          labels: { confirm: texts.discard, cancel: texts.stay },
          confirmProps: { color: 'red' },
          onConfirm: () => resolve(true),
          onClose: () => resolve(false),
        })
      }),
    [texts],
  )
}

/** Asks before unsaved changes are discarded. Resolves to true if nothing is unsaved, or the changes may be discarded. */
export function useMayLeave(): () => Promise<boolean> {
  const isGivenUp = useDiscardQuestion()
  return useCallback(async () => {
    if (hasUnsaved() && !(await isGivenUp())) return false
    unsaved.clear()
    return true
  }, [isGivenUp])
}

type Place = { pathname: string; search: object }
const placeOf = ({ pathname, search }: Place) => `${pathname} ${(search as { tab?: string }).tab ?? ''}`

/** Asks once before a page with unsaved changes is left. A change of filters in the address does not leave the page. */
export function LeaveGuard() {
  const isGivenUp = useDiscardQuestion()
  useBlocker({
    enableBeforeUnload: hasUnsaved,
    shouldBlockFn: async ({ current, next }) =>
      hasUnsaved() && placeOf(current) !== placeOf(next) && !(await isGivenUp()),
  })
  return null
}

/** A dialog with a form, which asks before it closes with unsaved changes. */
export function FormDialog({ onClose, children, ...rest }: ModalProps) {
  const id = useId()
  const isGivenUp = useDiscardQuestion()
  const questions = useQuestions()
  const close = async () => {
    if (![...unsaved.values()].includes(id) || (await isGivenUp())) onClose()
  }
  return (
    // Escape closes only the topmost dialog.
    <Dialog closeOnEscape={questions.length === 0} {...rest} onClose={() => void close()}>
      <DialogContext value={id}>{children}</DialogContext>
    </Dialog>
  )
}
