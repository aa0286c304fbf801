import type { Article } from '../../api/rows.ts'
import { momentOf } from '../../format.ts'

/** A product as an article names it. */
export type RelatedProduct = Pick<Article['items'][number], '_id' | 'name' | 'images' | 'price'>

/** What the form of an article or of a draft holds; `publishAt` as the shop's clocks show it, empty without a time. */
export type ArticleValues = Pick<
  Article,
  'title' | 'content' | 'slug' | 'metaDescription' | 'status' | 'images' | 'cta'
> & { items: RelatedProduct[]; publishAt: string }

/** An article, or a draft of one, as the form begins with it. */
type Written = Omit<ArticleValues, 'publishAt'> & { publishAt?: string | null }

export function valuesOf(written: Written | undefined): ArticleValues {
  return {
    title: written?.title ?? '',
    content: written?.content ?? '',
    slug: written?.slug ?? '',
    metaDescription: written?.metaDescription ?? '',
    status: written?.status ?? 'active',
    images: written?.images ?? [],
    cta: written?.cta ?? [],
    items: written?.items ?? [],
    publishAt: written?.publishAt ? momentOf(written.publishAt) : '',
  }
}

export const idsOf = (items: RelatedProduct[]) => items.map(({ _id }) => _id)
