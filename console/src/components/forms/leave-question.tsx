import { type ModalProps, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { createContext, useCallback, useContext, useEffect, useId } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { ask, useQuestions } from '../dialogs/questions.tsx'

/** What has unsaved changes now, by its id, and the dialog that it is in. */
const unsaved = new Map<string, string | undefined>()
const DialogContext = createContext<string | undefined>(undefined)

export function hasUnsaved(): boolean {
  return unsaved.size > 0
}

/**
 * While `isDirty`, leaving the page or closing the dialog asks first. The function that it returns ends that at once,
 * for whoever leaves in the same breath, such as after saving.
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

/** Asks whether to give the changes up; true: yes. */
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

/** Asks before what is unsaved is given up. True: nothing is, or no more. */
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

/** Asks before a page with unsaved changes is left, once for all of it. Filters in the address leave no page. */
export function LeaveGuard() {
  const isGivenUp = useDiscardQuestion()
  useBlocker({
    enableBeforeUnload: hasUnsaved,
    shouldBlockFn: async ({ current, next }) =>
      hasUnsaved() && placeOf(current) !== placeOf(next) && !(await isGivenUp()),
  })
  return null
}

/** A dialog with a form, which asks before it is closed with unsaved changes. */
export function FormDialog({ onClose, children, ...rest }: ModalProps) {
  const id = useId()
  const isGivenUp = useDiscardQuestion()
  const questions = useQuestions()
  const close = async () => {
    if (![...unsaved.values()].includes(id) || (await isGivenUp())) onClose()
  }
  return (
    // Escape closes what is on top only.
    <Dialog closeOnEscape={questions.length === 0} {...rest} onClose={() => void close()}>
      <DialogContext value={id}>{children}</DialogContext>
    </Dialog>
  )
}
