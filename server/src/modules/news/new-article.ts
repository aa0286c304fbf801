import { invalidField } from '../../errors.ts'
import { fold } from '../../lib/text/fold.ts'
import { firstWrongLink, shortContentOf, slugBase } from './rules.ts'
import type { Cta, NewsStatus } from './sql.ts'

export type ArticleFields = {
  title: string
  content: string
  status?: NewsStatus | undefined
  slug?: string | undefined
  metaDescription?: string | undefined
  images?: string[] | undefined
  cta?: Cta[] | undefined
}

/** The stored fields of a new article (G-50). @throws ValidationError for a wrong link or too many tags. */
export function newArticle(fields: ArticleFields, { linkHost, now }: { linkHost: string; now: Date }) {
  const { title, content, status, slug, metaDescription, images, cta } = fields
  assertLinks(cta, linkHost)
  return {
    title,
    content,
    shortContent: shortContentOf(content),
    search: fold(title),
    slugBase: slugBase(slug, { title, slug: '' }) ?? '',
    metaDescription: metaDescription ?? '',
    status: status ?? 'active',
    images: images ?? [],
    cta: cta ?? [],
    now,
  }
}

/**
 * Checks the links of all buttons. @throws ValidationError naming the first button with a link that is not allowed
 * (G-53).
 */
export function assertLinks(cta: Cta[] = [], linkHost: string): void {
  const wrong = firstWrongLink(cta, linkHost)
  if (wrong === undefined) return
  throw invalidField(['cta', wrong, 'url'], 'news.link', { start: `https://${linkHost}/s/` })
}
