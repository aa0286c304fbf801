import type { Article } from '../../api/rows.ts'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { wordsOf } from '../../components/rich-text/html-values.ts'
import { writeMoment } from '../../dates.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { type ArticleValues, idsOf, valuesOf } from './article-values.ts'
import type { Draft } from './drafts/draft.ts'
import { draftTexts } from './drafts/draft-texts.ts'
import { newsTexts } from './texts.ts'

/** Saves an article or a draft only if it is still as it was loaded (G-71). */
export function useArticleEdit(options: {
  written: Article | Draft | undefined
  read: () => Promise<Article | Draft>
  put: (values: ArticleValues, isSaved: boolean) => void
  address: string | undefined
}) {
  const { written, ...rest } = options
  const texts = useTexts(newsTexts)
  const words = useTexts(common)
  const { publishAt } = useTexts(draftTexts)
  return useEdit<Article | Draft, ArticleValues>({
    ...rest,
    name: 'article',
    record: written,
    valuesOf,
    labels: {
      ...texts,
      title: texts.headline,
      status: words.status,
      cta: texts.buttons,
      items: texts.related,
      publishAt,
    },
    show: {
      content: wordsOf,
      status: (status) => texts.statuses[status],
      items: (items) => items.map(({ name }) => name).join('\n'),
      publishAt: (moment) => writeMoment(moment),
    },
    essence: { items: idsOf },
  })
}
