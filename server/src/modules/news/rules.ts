import { invalidField } from '../../errors.ts'
import { shortContent } from '../../lib/text/html.ts'
import { slugify } from '../../lib/text/slug.ts'

/** What a list of articles can be sorted by (G-113). */
export const NEWS_SORTS = ['createdAt', 'updatedAt', 'title'] as const
export type NewsSortField = (typeof NEWS_SORTS)[number]

/**
 * Parsing unclosed tags takes time that grows with the square of their number: 66,000 took a second, this many take 20
 * ms.
 */
const MAX_TAGS = 10_000

/**
 * Whether a button may link to `url`: it starts with `https://<linkHost>/s/`, something follows, and browsers read it
 * in the same way (E16). The case of the host does not matter. White space, backslashes and dot segments are refused:
 * browsers drop or resolve them, and the link would lead elsewhere.
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

/** The index of the first button with an invalid address (see {@link isLinkUrl}), or undefined (E16). */
export function firstWrongLink(cta: readonly { url: string }[], linkHost: string): number | undefined {
  const index = cta.findIndex(({ url }) => !isLinkUrl(url, linkHost))
  return index === -1 ? undefined : index
}

/** An article's `shortContent` (G-52). @throws ValidationError for content of more than 10,000 tags. */
export function shortContentOf(content: string): string {
  if (content.split('<', MAX_TAGS + 2).length > MAX_TAGS + 1)
    throw invalidField(['content'], 'html.tags', { limit: MAX_TAGS })
  return shortContent(content)
}

/**
 * The text that a new slug is made from, or undefined if the current slug stays (E16). It is the sent slug; if that is
 * missing or has no letter or digit, it is the title, but only for an article that has no slug. The result is not yet
 * unique, and is empty if the title has no letter or digit either.
 */
export function slugBase(
  sent: string | undefined,
  article: { title: string; slug: string },
): string | undefined {
  const wanted = slugify(sent ?? '')
  if (wanted !== '') return wanted
  return article.slug === '' ? slugify(article.title) : undefined
}
