/** Whether a text is the number of a phone rather than a name. */
export function isPhoneText(text: string): boolean {
  return /^[+0(][\d\s.()-]{7,}$/.test(text.trim())
}
