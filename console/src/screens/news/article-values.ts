import type { Article } from '../../api/rows.ts'
import { momentOf } from '../../format.ts'

/** A product as it is shown in an article. */
export type RelatedProduct = Pick<Article['items'][number], '_id' | 'name' | 'images' | 'price'>

/** The values of the form of an article or a draft. `publishAt` is in the shop's local time, empty without a time. */
export type ArticleValues = Pick<
  Article,
  'title' | 'content' | 'slug' | 'metaDescription' | 'status' | 'images' | 'cta'
> & { items: RelatedProduct[]; publishAt: string }

/** An article or a draft, from which the form gets its initial values. */
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
