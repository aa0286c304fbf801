import { type UseFormInput, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLeaveQuestion } from './leave-question.tsx'

const PREFIX = 'shopbell.typed '

/** A form's name in the storage of the window: of this address, so that no other record's form finds it. */
export const keyOf = (name: string, address = `${location.pathname}${location.search}`) =>
  `${PREFIX}${address} ${name}`

/** Keeps typing for the form of another address, which is about to take its place. */
export function keepAt(address: string, name: string, values: unknown): void {
  sessionStorage.setItem(keyOf(name, address), JSON.stringify(values))
}

/** What had been typed into the form before the page was loaded again. */
export function keptOf<V>(name: string): V | undefined {
  const kept = sessionStorage.getItem(keyOf(name))
  return kept === null ? undefined : (JSON.parse(kept) as V)
}

/** Forgets what had been typed into any form of the page. */
export function forgetTyped(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}

/**
 * Guards `values` that differ from the saved ones, `start`: they are kept over a reload, and leaving them asks. `saved`
 * says that these values, or the present ones, are now saved; `rebase` that these are, while the form may hold others.
 * Values are JSON. `address` is that of the record, where the form stays while the page's address changes.
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
  // Whoever left was asked. A reload runs nothing of this.
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

/**
 * A form whose typing is not lost: see {@link useTyped}. `isSecret` for what must not be written anywhere; `clear`
 * empties it after saving.
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
  return {
    ...form,
    saved,
    rebase,
    /** Puts values in from elsewhere; `isSaved`: they are those of the record. */
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
