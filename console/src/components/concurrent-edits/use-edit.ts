import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { NotSaved, Problem } from '../../api/problem.ts'
import { formatNumber } from '../../format.ts'
import type { Language } from '../../texts/catalogue.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { keptOf, keyOf } from '../forms/kept-form.ts'
import { differing, type Essence, type Known, knownAgain, mergedOver } from './compare.ts'
import { useEditQuestion } from './question.tsx'
import type { Difference } from './question-body.tsx'
import { editTexts } from './texts.ts'

/** The header that names the version which a change is based on (G-71). */
export type IfMatch = { 'if-match'?: string }
/** For a change in several requests: records what has been saved so far, and the values that the change continues with. */
export type Keep<V> = (known: Known<V>, values: V) => void
const SHOWN_LENGTH = 400

/**
 * Saves a form's changes only if the record is still as it was loaded. If somebody else has changed fields of the form
 * since, a dialog shows them and asks what to do; changes in other parts of the record do not concern this form. `name`
 * is the name under which the form's input is kept; the original values are kept beside it. `parts` are groups of
 * fields that are sent together, if not all are: another person's change in a part that this form did not change is
 * accepted without asking.
 */
export function useEdit<R extends { __v: number }, V extends Record<string, unknown>>(options: {
  name: string
  /** Undefined for a new record. */
  record: R | undefined
  valuesOf: (record: R) => V
  read: () => Promise<R>
  /** Puts values into the form. `isSaved`: they are the record's saved values. */
  put: (values: V, isSaved: boolean) => void
  labels: Record<keyof V, string>
  /** Shows a field's value to a person, if the value itself is not readable. */
  show?: { [K in keyof V]?: (value: V[K]) => string }
  essence?: Essence<V>
  parts?: (keyof V & string)[][]
  /** The same as in {@link useTyped}. */
  address?: string | undefined
}) {
  const { name, record, valuesOf, essence = {}, parts, address } = options
  const client = useQueryClient()
  const texts = useTexts(editTexts)
  const { language } = useLanguage()
  const ask = useEditQuestion()
  const [opened] = useState(() => keyOf(`${name} known`))
  const key = address === undefined ? opened : keyOf(`${name} known`, address)
  const [state] = useState(() => {
    const loaded = record && { version: record.__v, values: valuesOf(record) }
    const typed = keptOf<V>(name)
    const known = typed && keptOf<Known<V>>(`${name} known`)
    return { known: known && loaded ? knownAgain(known, typed, loaded, essence) : (known ?? loaded) }
  })
  const know = (known: Known<V> | undefined) => {
    state.known = known
    if (known !== undefined) sessionStorage.setItem(key, JSON.stringify(known))
  }
  useEffect(() => {
    if (state.known !== undefined) sessionStorage.setItem(key, JSON.stringify(state.known))
    return () => sessionStorage.removeItem(key)
  }, [key, state])

  /**
   * Saves the form and returns what `send` saved. A `send` with several requests calls `keep` after each, with what is
   * saved by then and the values that it continues with.
   * @throws NotSaved when the person chose to save nothing; otherwise what `send` throws
   */
  async function save(
    given: V,
    send: (values: V, headers: IfMatch, base: V | undefined, keep: Keep<V>) => Promise<R>,
  ): Promise<R> {
    let values = given
    for (;;) {
      try {
        const { known } = state
        const headers = known === undefined ? {} : { 'if-match': `"${known.version}"` }
        const saved = await send(values, headers, known?.values, (savedSoFar, onwards) => {
          know(savedSoFar)
          values = onwards
        })
        know({ version: saved.__v, values: valuesOf(saved) })
        return saved
      } catch (error) {
        const { known } = state
        if (!(error instanceof Problem) || error.changed === undefined || known === undefined) throw error
        const current = await options.read()
        const theirs = { version: current.__v, values: valuesOf(current) }
        const touched = differing(values, known.values, essence)
        const sent = parts?.filter((part) => part.some((field) => touched.includes(field))).flat()
        if (sent !== undefined) values = mergedOver(values, sent, theirs.values)
        const differences = differing(theirs.values, values, essence)
        const changed = differing(theirs.values, known.values, essence)
        if (changed.some((field) => differences.includes(field))) {
          const rows = differences.map(
            (field): Difference => ({
              label: options.labels[field],
              theirs: shown(field, theirs.values),
              mine: touched.includes(field) ? shown(field, values) : undefined,
            }),
          )
          const choice = await ask(error.changed, rows)
          if (choice === 'back') throw new NotSaved()
          values = choice === 'mine' ? mergedOver(values, touched, theirs.values) : theirs.values
          options.put(values, choice === 'theirs')
          if (choice === 'theirs') {
            know(theirs)
            notifications.show({ message: texts.taken })
            void client.invalidateQueries()
            throw new NotSaved()
          }
        }
        know(theirs)
        // The values that were sent are already saved, by an earlier attempt whose response was lost.
        if (differences.length === 0) return current
      }
    }
  }

  function shown(field: keyof V, values: V): string {
    const show = options.show?.[field]
    const text = show === undefined ? readable(values[field], texts, language) : show(values[field])
    if (text === '') return texts.none
    return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
  }

  return {
    save,
    base: () => state.known?.values,
    version: () => state.known?.version,
    /** Makes this record the base of the next change: for a field that is saved immediately while its record is refetched. */
    begin: (loaded: R) => know({ version: loaded.__v, values: valuesOf(loaded) }),
  }
}

function readable(value: unknown, texts: (typeof editTexts)['vi'], language: Language): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return formatNumber(value, language)
  if (Array.isArray(value)) return value.map((one) => readable(one, texts, language)).join('\n')
  return typeof value === 'object' ? Object.values(value).map(String).join(' · ') : String(value)
}
