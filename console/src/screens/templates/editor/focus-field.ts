/** Shows and focuses the field of the template with this path; false if no field on the screen has it. */
export function focusField(path: string): boolean {
  const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
  field?.scrollIntoView({ block: 'center' })
  field?.focus()
  return field !== null
}
