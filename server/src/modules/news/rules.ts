import { slugify } from '../../lib/slug.ts'

/**
 * Whether a button may lead to `url`: it starts with `https://<linkHost>/s/`, something follows, and a browser
 * reads it so too (E16). The host's case does not matter. White space, backslashes and dot segments are refused,
 * as browsers drop or resolve them and would end up elsewhere.
 */
export function isLinkUrl(url: string, linkHost: string): boolean {
  const scheme = 'https://'
  const host = url.slice(scheme.length, scheme.length + linkHost.length)
  const path = url.slice(scheme.length + linkHost.length)
  if (!url.startsWith(scheme) || host.toLowerCase() !== linkHost.toLowerCase()) return false
  if (!path.startsWith('/s/') || path === '/s/') return false
  if (/[\s\\\p{Cc}]/u.test(url) || !URL.canParse(url)) return false
  return new URL(url).pathname.startsWith('/s/')
}

/** The place of the first button whose address has the wrong form (see {@link isLinkUrl}), or undefined (E16). */
export function firstWrongLink(cta: readonly { url: string }[], linkHost: string): number | undefined {
  const index = cta.findIndex(({ url }) => !isLinkUrl(url, linkHost))
  return index === -1 ? undefined : index
}

/**
 * What a new slug is made from, or undefined when the current one stays (E16): the slug sent; where that is
 * absent or has no letter or digit, the title, but only for an article that has no slug. Not yet unique, and
 * empty when the title has no letter or digit either.
 */
export function slugBase(
  sent: string | undefined,
  article: { title: string; slug: string },
): string | undefined {
  const wanted = slugify(sent ?? '')
  if (wanted !== '') return wanted
  return article.slug === '' ? slugify(article.title) : undefined
}
