/** A form's fields when its record was loaded, and the record's version at that time. */
export type Known<V> = { version: number; values: V }
/** The part of a field that counts as its value, for fields of which only a part counts. */
export type Essence<V> = { [K in keyof V]?: (value: V[K]) => unknown }

const textOf = (value: unknown) => JSON.stringify(value ?? null)

/** The names of the fields in which the two differ. */
export function differing<V extends Record<string, unknown>>(
  one: V,
  other: V,
  essence: Essence<V>,
): (keyof V & string)[] {
  return (Object.keys(one) as (keyof V & string)[]).filter((name) => {
    const of = essence[name] ?? ((value: unknown) => value)
    return textOf(of(one[name])) !== textOf(of(other[name]))
  })
}

/** What is saved over another person's change: the fields that were changed in the form, and the others as they are saved. */
export function mergedOver<V extends Record<string, unknown>>(mine: V, touched: (keyof V)[], theirs: V): V {
  return { ...theirs, ...Object.fromEntries(touched.map((name) => [name, mine[name]])) }
}

/**
 * What a form restored after a reload is based on: what was known before, except for the fields in which the record now has what was
 * typed. Those were saved by a request whose response the reload lost. Without that, to change such a field back would change nothing.
 */
export function knownAgain<V extends Record<string, unknown>>(
  known: Known<V>,
  typed: V,
  loaded: Known<V>,
  essence: Essence<V>,
): Known<V> {
  const changed = differing(loaded.values, known.values, essence)
  const others = differing(loaded.values, typed, essence)
  const saved = changed.filter((name) => !others.includes(name))
  if (saved.length === changed.length) return loaded
  return { version: known.version, values: mergedOver(loaded.values, saved, known.values) }
}
