/** Cookies planted by others may precede a person's own; an honest browser never sends more than this of one name. */
const MOST = 4

/** What the names of the session's cookies begin with: with https, no sibling domain, no path and no page without TLS can set one. */
export function sessionCookiePrefix(publicUrl: string | undefined): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}shopbell`
}

/** The name of the session's cookie. */
export function sessionCookieName(publicUrl: string | undefined): string {
  return `${sessionCookiePrefix(publicUrl)}.session_token`
}

/** Whether browsers reach this service by https, so that its cookies are sent over https only. */
export function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') === true
}

/**
 * The first four cookies of exactly this name in a `Cookie` header, each as `name=value`. Without https, a page of a
 * sibling domain or path can plant one of the same name, so the caller verifies them one by one to find the genuine one.
 */
export function cookiesOf(header: string | undefined, name: string): string[] {
  if (header === undefined) return []
  return header
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${name}=`))
    .slice(0, MOST)
}
