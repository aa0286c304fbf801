/** A code in the form in which the service compares it (G-33). */
export function foldCode(code: string): string {
  return code.normalize('NFC').toUpperCase().normalize('NFC')
}
