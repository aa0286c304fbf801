/** A random UUID. Browsers do not offer `crypto.randomUUID` to pages that are served over plain HTTP. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(36))
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, (_, at) => (bytes[at]! & 15).toString(16))
}
