import { type RefObject, useEffect } from 'react'
import { isDialogOpen } from '../../../components/dialogs/open-dialog.ts'
import { isScannerPace } from './scanner-pace.ts'

const LONGEST_GAP_MS = 120

/**
 * Catches a scan into a field other than the scan field, and one while a dialog is open. Otherwise a code scanned into the
 * cash field would become an amount, and its Enter would complete the sale or press a button. The field gets its old content
 * back. What a password manager types to sign in is no scan.
 */
export function useStrayScan(own: RefObject<HTMLInputElement | null>, onScan: (code: string) => void): void {
  useEffect(() => {
    let burst: { field: EventTarget; before: string; text: string; from: number; at: number } | undefined

    function watch(event: KeyboardEvent) {
      const field = event.target
      const isText = isTextField(field)
      const isOther = field !== null && (isText ? field !== own.current && !isSignIn(field) : isDialogOpen())
      // The repetition of a held key is no scan.
      if (!isOther || event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
        burst = undefined
        return
      }
      const goesOn =
        burst !== undefined && burst.field === field && event.timeStamp - burst.at <= LONGEST_GAP_MS
      if (event.key === 'Enter') {
        if (goesOn && isScannerPace(burst!.text.length, event.timeStamp - burst!.from)) {
          event.preventDefault()
          event.stopImmediatePropagation()
          if (isText) putBack(field, burst!.before)
          onScan(burst!.text)
          if (!isDialogOpen()) own.current?.focus()
        }
        burst = undefined
      } else if (event.key.length === 1) {
        burst = goesOn
          ? { ...burst!, text: burst!.text + event.key, at: event.timeStamp }
          : {
              field,
              before: isText ? field.value : '',
              text: event.key,
              from: event.timeStamp,
              at: event.timeStamp,
            }
      }
    }

    window.addEventListener('keydown', watch, true)
    return () => window.removeEventListener('keydown', watch, true)
  }, [own, onScan])
}

/** Whether an element accepts typed text. */
export function isTextField(element: EventTarget | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && !['radio', 'checkbox'].includes(element.type)
}

/** Whether a field is filled by password managers. */
function isSignIn({ type, autocomplete }: HTMLInputElement): boolean {
  return type === 'password' || /username|password|one-time/.test(autocomplete)
}

/** Sets a field's text in a way that its component notices. */
function putBack(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
