import type { Article } from '../../api/rows.ts'

/** A product as an article names it. */
export type RelatedProduct = Pick<Article['items'][number], '_id' | 'name' | 'images' | 'price'>

/** What the form of an article holds. */
export type ArticleValues = Pick<
  Article,
  'title' | 'content' | 'slug' | 'metaDescription' | 'status' | 'images' | 'cta'
> & { items: RelatedProduct[] }

export function valuesOf(article: Article | undefined): ArticleValues {
  return {
    title: article?.title ?? '',
    content: article?.content ?? '',
    slug: article?.slug ?? '',
    metaDescription: article?.metaDescription ?? '',
    status: article?.status ?? 'active',
    images: article?.images ?? [],
    cta: article?.cta ?? [],
    items: article?.items ?? [],
  }
}
