import { type RawBuilder, sql } from 'kysely'

/** One step of a statement, or several: `name as (…)`. Later steps can read from it. */
export type Step = RawBuilder<unknown>

/**
 * Declares the names of a statement's steps (its common table expressions) once. `step.held` is written before the
 * step's `as (…)` and wherever a later step reads from it. An undeclared name is a type error.
 */
export function stepNames<const Name extends string>(
  ...names: Name[]
): { readonly [K in Name]: RawBuilder<unknown> } {
  return Object.fromEntries(names.map((name) => [name, sql.raw(name)])) as {
    [K in Name]: RawBuilder<unknown>
  }
}

/** The list of steps that follows `with`, in reading order. */
export function joinSteps(...steps: Step[]): RawBuilder<unknown> {
  return sql.join(steps, sql`, `)
}
