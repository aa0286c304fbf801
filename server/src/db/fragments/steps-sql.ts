import { type RawBuilder, sql } from 'kysely'

/** A step of a statement, or several: `name as (…)`, read by the steps after it. */
export type Step = RawBuilder<unknown>

/**
 * The names of a statement's steps (its common table expressions), declared once: `step.held` stands before the step's
 * `as (…)` and wherever a later one reads from it. A name that is not declared is a type error.
 */
export function stepNames<const Name extends string>(
  ...names: Name[]
): { readonly [K in Name]: RawBuilder<unknown> } {
  return Object.fromEntries(names.map((name) => [name, sql.raw(name)])) as {
    [K in Name]: RawBuilder<unknown>
  }
}

/** What follows `with`: the steps in reading order. */
export function inOrder(...steps: Step[]): RawBuilder<unknown> {
  return sql.join(steps, sql`, `)
}
