import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import type { Article } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { Loaded, Page } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { ArticleForm } from './article-form.tsx'
import { articleQuery } from './article-query.ts'
import { newsTexts } from './texts.ts'

export function NewArticle() {
  const texts = useTexts(newsTexts)
  const navigate = useNavigate()
  return (
    <Page title={texts.add}>
      <ArticleForm
        article={undefined}
        onSaved={(id) => void navigate({ to: `/news/${id}`, replace: true, ignoreBlocker: true })}
      />
    </Page>
  )
}

export function ArticleEditor() {
  const texts = useTexts(newsTexts)
  const { canWrite } = useSession()
  const { newsId } = useParams({ strict: false }) as { newsId: string }
  const article = useQuery(articleQuery(newsId))
  return (
    <Page
      title={article.data?.title ?? texts.article}
      actions={article.data !== undefined && canWrite && <DeleteButton article={article.data} />}
    >
      <Loaded query={article}>
        {(found) => <ArticleForm key={found._id} article={found} onSaved={() => undefined} />}
      </Loaded>
    </Page>
  )
}

function DeleteButton({ article: { _id: id, title } }: { article: Article }) {
  const texts = useTexts(newsTexts)
  const words = useTexts(common)
  const navigate = useNavigate()
  const deleting = useAction({
    run: async () => {
      await dataOf(api.DELETE('/api/external/news/{id}', { params: { path: { id } } }))
      await navigate({ to: '/news', ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: ['news', id] })
    },
    stale: [['news', 'list']],
    done: texts.deleted,
  })
  return (
    <ConfirmButton question={texts.deleteQuestion(title)} onConfirm={() => deleting.mutate(undefined)}>
      {words.delete}
    </ConfirmButton>
  )
}
