import { keepAt } from '../forms/kept-form.ts'
import { differing, mergedOver } from './compare.ts'

/**
 * Takes what was typed while a new record was saved along to the record's own address, whose form is about to replace this one.
 * `sent` is what was saved, `now` what the form holds by now, and `stored` the record's values. `name` is the form's name there.
 */
export function takeAlong<V extends Record<string, unknown>>(
  address: string,
  name: string,
  { sent, now, stored }: { sent: V; now: V; stored: V },
): void {
  const typed = differing(now, sent, {})
  if (typed.length > 0) keepAt(address, name, mergedOver(now, typed, stored))
}
