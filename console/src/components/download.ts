/** The browser reads the file after the click, on a busy machine much later. */
const TAKEN_AFTER_MS = 60_000

/** Saves a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_AFTER_MS)
}
