import type { KeyboardEvent } from 'react'

const FIELDS =
  'input:not([type="file"], [type="radio"], [type="checkbox"]), textarea, [contenteditable="true"]'

/** Moves the focus to the next field of the form on Enter, with which a scanner ends a code, instead of sending the form. */
export function toNextField(event: KeyboardEvent<HTMLInputElement>): void {
  const field = event.currentTarget
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || field.form === null) return
  event.preventDefault()
  const fields = [...field.form.querySelectorAll<HTMLElement>(FIELDS)]
  fields
    .slice(fields.indexOf(field) + 1)
    .find((one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility())
    ?.focus()
}
