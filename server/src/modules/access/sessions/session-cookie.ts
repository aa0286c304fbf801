/** Cookies planted by others may precede a person's own; an honest browser never sends more than this of one name. */
const MOST = 4

/** The name of the session's cookie: with https it has the prefix that pages without TLS cannot set. */
export function sessionCookieName(publicUrl: string | undefined): string {
  return `${isSecure(publicUrl) ? '__Secure-' : ''}shopbell.session_token`
}

/** Whether browsers reach this service by https, so that its cookies are sent over https only. */
export function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') === true
}

/**
 * The first four cookies of exactly this name in a `Cookie` header, each as `name=value`. A page of a sibling domain or path can
 * plant one of the same name, so the caller verifies them one by one to find the genuine one.
 */
export function cookiesOf(header: string | undefined, name: string): string[] {
  if (header === undefined) return []
  return header
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${name}=`))
    .slice(0, MOST)
}
