import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import type { Article } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { Loaded, Page } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { ArticleForm } from './article-form.tsx'
import { articleQuery, readArticle } from './article-query.ts'
import { DRAFTS, type Draft, draftKey, dropDraft, readDraft } from './drafts/draft.ts'
import { draftTexts } from './drafts/draft-texts.ts'
import { newsTexts } from './texts.ts'

/**
 * The draft that the page was opened with, and the one that its form has since created. For the latter the form stays
 * as it is.
 */
type Opened = {
  asked: string | undefined
  begun: string | undefined
  made: string | undefined
  times: number
}

/** A text that is not an article yet: a new one, or a draft that is continued. */
export function NewArticle() {
  const texts = useTexts(newsTexts)
  const { noRight } = useTexts(common)
  const { canWrite } = useSession()
  const navigate = useNavigate()
  const { draft: asked } = useSearch({ strict: false }) as { draft?: string }
  const [opened, setOpened] = useState<Opened>({ asked, begun: asked, made: undefined, times: 0 })
  if (opened.asked !== asked) {
    const isOwn = asked !== undefined && asked === opened.made
    setOpened(
      isOwn ? { ...opened, asked } : { asked, begun: asked, made: undefined, times: opened.times + 1 },
    )
  }
  const after = {
    onKept: (id: string) => {
      if (id === asked) return
      setOpened((now) => ({ ...now, made: id }))
      void navigate({ to: '/news/new', search: { draft: id } as never, replace: true, ignoreBlocker: true })
    },
    onSaved: (id: string) => void navigate({ to: `/news/${id}`, replace: true, ignoreBlocker: true }),
  }
  if (!canWrite && opened.begun === undefined)
    return (
      <Page title={texts.add}>
        <Alert>{noRight}</Alert>
      </Page>
    )
  if (opened.begun !== undefined)
    return <ContinuedDraft key={opened.times} id={opened.begun} onSaved={after.onSaved} />
  return (
    <Page title={texts.add} actions={opened.made !== undefined && <DeleteButton draftId={opened.made} />}>
      <ArticleForm key={opened.times} {...after} />
    </Page>
  )
}

/** A draft as it was left. If it was published meanwhile, the article that it became is opened. */
function ContinuedDraft({ id, onSaved }: { id: string; onSaved: (id: string) => void }) {
  const texts = useTexts(newsTexts)
  const { untitled } = useTexts(draftTexts)
  const { canWrite } = useSession()
  const draft = useQuery({
    ...draftKey(id),
    queryFn: (): Promise<Draft | Article> =>
      readDraft(id).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 404) return readArticle(id)
        throw error
      }),
  })
  const title = draft.data === undefined ? texts.article : draft.data.title.trim() || untitled
  return (
    <Page
      title={title}
      actions={draft.data && canWrite && <DeleteButton draftId={id} title={draft.data.title} />}
    >
      <Loaded query={draft}>
        {(found) =>
          'publishAt' in found ? (
            <ArticleForm draft={found} onSaved={onSaved} />
          ) : (
            <Navigate to={`/news/${id}`} replace />
          )
        }
      </Loaded>
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
      actions={
        article.data !== undefined &&
        canWrite && <DeleteButton articleId={article.data._id} title={article.data.title} />
      }
    >
      <Loaded query={article}>
        {(found) => <ArticleForm key={found._id} article={found} onSaved={() => undefined} />}
      </Loaded>
    </Page>
  )
}

/** Deletes an article or a draft. */
function DeleteButton({ title = '', ...which }: { articleId?: string; draftId?: string; title?: string }) {
  const { articleId, draftId } = which
  const texts = useTexts(newsTexts)
  const drafts = useTexts(draftTexts)
  const words = useTexts(common)
  const navigate = useNavigate()
  const isDraft = draftId !== undefined
  const deleting = useAction({
    run: async () => {
      if (draftId !== undefined) await dropDraft(draftId)
      if (articleId !== undefined)
        await dataOf(api.DELETE('/api/external/news/{id}', { params: { path: { id: articleId } } }))
      const search = isDraft ? { status: DRAFTS } : {}
      await navigate({ to: '/news', search: search as never, ignoreBlocker: true })
      queryClient.removeQueries({ queryKey: ['news', articleId] })
    },
    stale: [
      ['news', 'list'],
      ['news', 'drafts', 'list'],
    ],
    done: isDraft ? drafts.removed : texts.deleted,
  })
  const question = isDraft ? drafts.question(title.trim() || drafts.untitled) : texts.deleteQuestion(title)
  return (
    <ConfirmButton question={question} onConfirm={() => deleting.mutate(undefined)}>
      {words.delete}
    </ConfirmButton>
  )
}
