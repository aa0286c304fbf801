import { type UseFormInput, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { type FormEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLeaveQuestion } from './leave-question.tsx'

const PREFIX = 'shopbell.typed '

/** The key of a form's input in the session storage. It includes the page's address, so no other record's form finds it. */
export const keyOf = (name: string, address = `${location.pathname}${location.search}`) =>
  `${PREFIX}${address} ${name}`

/** Stores input for the form at another address, which is about to replace this one. */
export function keepAt(address: string, name: string, values: unknown): void {
  sessionStorage.setItem(keyOf(name, address), JSON.stringify(values))
}

/** The input of the form from before the page was reloaded. */
export function keptOf<V>(name: string): V | undefined {
  const kept = sessionStorage.getItem(keyOf(name))
  return kept === null ? undefined : (JSON.parse(kept) as V)
}

/** Deletes the stored input of all forms. */
export function forgetTyped(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}

/**
 * Guards `values` that differ from the saved ones, `start`: they are kept over a reload, and leaving them asks for
 * confirmation. `saved` marks these values, or the current ones, as saved. `rebase` marks the given values as saved
 * while the form may hold others. Values must be JSON. `address` is the record's address, for a form that stays while
 * the page's address changes.
 */
export function useTyped<V>(
  name: string,
  values: V,
  start: V,
  isKept = true,
  address?: string,
): { saved: (values?: V) => void; rebase: (values: V) => void } {
  const [opened] = useState(() => keyOf(name))
  const key = address === undefined ? opened : keyOf(name, address)
  const [base, setBase] = useState(() => JSON.stringify(start))
  const text = JSON.stringify(values)
  const isDirty = text !== base
  const settle = useLeaveQuestion(isDirty)
  const { restored } = useTexts(common)
  const [wasKept] = useState(isDirty)
  useEffect(() => {
    if (wasKept) notifications.show({ id: 'restored', message: restored })
  }, [wasKept, restored])
  useEffect(() => {
    if (isDirty && isKept) sessionStorage.setItem(key, text)
    else sessionStorage.removeItem(key)
  }, [key, text, isDirty, isKept])
  // On leaving the page, the person was asked. A reload does not run this.
  useEffect(() => () => sessionStorage.removeItem(key), [key])
  return {
    saved(now = values) {
      setBase(JSON.stringify(now))
      sessionStorage.removeItem(key)
      settle()
    },
    rebase: (now) => setBase(JSON.stringify(now)),
  }
}

/** A field with an error; that of a password has only the second mark, a button that leads to what is refused the third. */
const REFUSED = '[aria-invalid="true"], input[data-invalid], [data-refused]'

/**
 * Leads to the first refused field of the form that was submitted last. `onSubmit` notes the form; `lead` moves the focus once the
 * errors are shown. `place`: where in the window the field then is, in a form with a high bar of actions; otherwise just inside it.
 */
export function useLeadToError(place?: ScrollLogicalPosition) {
  const submitted = useRef<HTMLFormElement | null>(undefined)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals === 0) return
    const field = submitted.current?.querySelector<HTMLElement>(REFUSED)
    if (place !== undefined) field?.scrollIntoView({ block: place })
    field?.focus({ preventScroll: place !== undefined })
  }, [refusals, place])
  return {
    /** The event of the form or of one of its buttons. */
    note(event: SyntheticEvent<HTMLElement> | undefined) {
      submitted.current = event?.currentTarget.closest('form')
    },
    lead: () => setRefusals((count) => count + 1),
  }
}

/**
 * A form whose input is not lost; see {@link useTyped}. The first refused field gets the focus. `isSecret`: the input must
 * not be stored anywhere. `clear` empties the form after saving.
 */
export function useKeptForm<V extends Record<string, unknown>>(
  name: string,
  initialValues: V,
  options: Omit<UseFormInput<V>, 'initialValues'> & { isSecret?: boolean; address?: string | undefined } = {},
) {
  const { isSecret = false, address, ...rest } = options
  const [kept] = useState(() => (isSecret ? undefined : keptOf<V>(name)))
  const [start] = useState(initialValues)
  const form = useForm<V>({ ...rest, initialValues: kept ?? start })
  const { saved, rebase } = useTyped(name, form.values, start, !isSecret, address)
  const { note, lead } = useLeadToError()
  const onSubmit = (...[send, onRefused]: Parameters<typeof form.onSubmit>) => {
    const submit = form.onSubmit(send, (...refusal) => {
      onRefused?.(...refusal)
      lead()
    })
    return (event?: SyntheticEvent<HTMLElement>) => {
      note(event)
      submit(event as FormEvent<HTMLFormElement>)
    }
  }
  const setErrors: typeof form.setErrors = (errors) => {
    form.setErrors(errors)
    lead()
  }
  return {
    ...form,
    onSubmit,
    setErrors,
    saved,
    rebase,
    /** Puts values into the form from elsewhere. `isSaved`: they are the record's saved values. */
    put(values: V, isSaved: boolean) {
      form.setValues(values)
      form.clearErrors()
      if (isSaved) saved(values)
    },
    clear() {
      form.setValues(start)
      form.clearErrors()
      saved(start)
    },
  }
}
