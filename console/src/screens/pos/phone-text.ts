/** Whether a text is a phone number and not a name. */
export function isPhoneText(text: string): boolean {
  return /^[+0(][\d\s.()-]{7,}$/.test(text.trim())
}
