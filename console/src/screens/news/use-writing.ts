import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { isRefusal } from '../../api/outcome.ts'
import { dataOf } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import type { Article } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { takeAlong } from '../../components/concurrent-edits/take-along.ts'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { formatTime, instantOf } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { readArticle } from './article-query.ts'
import { type ArticleValues, idsOf, valuesOf } from './article-values.ts'
import { type Draft, draftListQuery, keepDraft, publishDraft, readDraft } from './drafts/draft.ts'
import { draftTexts } from './drafts/draft-texts.ts'
import { useKeeping } from './drafts/use-keeping.ts'
import { newsTexts } from './texts.ts'
import { useArticleEdit } from './use-article-edit.ts'

type Form = {
  values: ArticleValues
  getValues: () => ArticleValues
  saved: (values?: ArticleValues) => void
  rebase: (values: ArticleValues) => void
  put: (values: ArticleValues, isSaved: boolean) => void
  setFieldValue: (field: 'slug', value: string) => void
  setErrors: (errors: Record<string, string>) => void
}

/** Attaches and detaches products until the article has those of the form (E15). */
async function relate(id: string, items: ArticleValues['items'], before: ArticleValues['items']) {
  const [wanted, attached] = [idsOf(items), idsOf(before)]
  const added = wanted.filter((item) => !attached.includes(item))
  const removed = attached.filter((item) => !wanted.includes(item))
  const params = { path: { id } }
  if (added.length > 0)
    await dataOf(api.POST('/api/external/news/{id}/items', { params, body: { newsIds: added } }))
  if (removed.length > 0)
    await dataOf(api.DELETE('/api/external/news/{id}/items', { params, body: { newsIds: removed } }))
}

/**
 * How an article's form is saved. `save` updates the article, or publishes a new one. `keep` stores a draft, and
 * schedules it if it has a time. A text that is not an article yet is also saved as a draft automatically while it is
 * typed.
 */
export function useWriting(options: {
  article: Article | undefined
  draft: Draft | undefined
  form: Form
  canWrite: boolean
  /** The address under which the form's input is kept. */
  address: string | undefined
  onKept: (id: string) => void
  onSaved: (id: string) => void
}) {
  const { article, form, canWrite, address, onKept, onSaved } = options
  const texts = useTexts(newsTexts)
  const words = useTexts(draftTexts)
  const { language } = useLanguage()
  const [draft, setDraft] = useState(options.draft)
  const [isCreated, setCreated] = useState(false)
  // The article was created by an attempt whose second half failed, so the next attempt updates it.
  const id = useRef(article?._id)
  const draftId = useRef(options.draft?._id)
  const { shop } = useSession()
  const creation = useSentOnce<Omit<ArticleValues, 'items' | 'publishAt'>>(`news ${shop?._id}`)
  const draftCreation = useSentOnce<ArticleValues>(`news draft ${shop?._id}`)
  /** What the draft was created with, while no response to that has come. */
  const begun = useRef<ArticleValues>(undefined)
  const edit = useArticleEdit({
    written: article ?? options.draft,
    read: () => (id.current === undefined ? readDraft(draftId.current!) : readArticle(id.current)),
    put: form.put,
    address,
  })

  /**
   * Creates the draft. If the response to an earlier attempt was lost, that attempt is repeated, even if the text has
   * changed since: there would be two drafts otherwise.
   */
  async function create(given: ArticleValues): Promise<{ draft: Draft; values: ArticleValues }> {
    const values = begun.current ?? given
    begun.current = values
    try {
      const draft = await draftCreation.send(values, (key) => keepDraft(undefined, values, key))
      begun.current = undefined
      return { draft, values }
    } catch (error) {
      if (isRefusal(error)) begun.current = undefined
      throw error
    }
  }

  /** Stores the form as a draft, as a new one the first time. */
  async function write(given: ArticleValues, send = keepDraft): Promise<Draft> {
    const kept = (await edit.save(given, async (values, headers) => {
      if (draftId.current !== undefined) return send(draftId.current, values, headers)
      const created = await create(values)
      draftId.current = created.draft._id
      if (created.values === values) return created.draft
      return send(created.draft._id, values, { 'if-match': `"${created.draft.__v}"` })
    })) as Draft
    setDraft(kept)
    onKept(kept._id)
    void queryClient.invalidateQueries({ queryKey: draftListQuery.queryKey })
    return kept
  }
  const keeping = useKeeping({
    values: { ...form.values, publishAt: '' },
    isOn: canWrite && article === undefined && !isCreated,
    isWaiting: (edit.base()?.publishAt ?? '') !== '',
    start: valuesOf(options.draft),
    write,
    onKept: form.rebase,
  })

  async function writeArticle(given: ArticleValues): Promise<Article> {
    const saved = await edit.save(given, async ({ items, publishAt: _, ...body }, headers, base) => {
      const params = { path: { id: id.current ?? '' } }
      const { data } =
        id.current === undefined
          ? await creation.send(body, (key) => dataOf(api.POST('/api/external/news', { body, headers: key })))
          : await dataOf(api.PUT('/api/external/news/{id}', { params, body, headers }))
      id.current = data._id
      setCreated(true)
      await relate(id.current, items, base?.items ?? [])
      return readArticle(id.current)
    })
    return saved as Article
  }
  async function publish(values: ArticleValues): Promise<Article> {
    if (draftId.current === undefined && begun.current === undefined) return writeArticle(values)
    const now = { ...values, publishAt: '' }
    const kept = await write(now)
    keeping.kept(now)
    return readArticle((await publishDraft(kept._id))._id)
  }

  const save = useAction({
    form,
    run: (values: ArticleValues) => {
      // Its refusal would stand beside this outcome.
      keep.reset()
      if (article !== undefined) return writeArticle(values)
      return keeping.inTurn(async () => {
        const published = await publish(values)
        keeping.end()
        return published
      })
    },
    stale: article === undefined ? [['news', 'list'], draftListQuery.queryKey] : [['news']],
    done: article === undefined ? words.published : texts.saved,
    quiet: true,
    onDone: (saved, values) => {
      const now = form.getValues()
      if (article === undefined)
        takeAlong(`/news/${saved._id}`, 'article', { sent: values, now, stored: valuesOf(saved) })
      if (now.slug === values.slug) form.setFieldValue('slug', saved.slug)
      form.saved({ ...values, slug: saved.slug })
      onSaved(saved._id)
    },
  })
  const keep = useAction({
    form,
    run: (values: ArticleValues) => {
      save.reset()
      return keeping
        .inTurn(() => write(values))
        .catch((error: unknown) => {
          keeping.resume()
          throw error
        })
    },
    stale: [draftListQuery.queryKey],
    quiet: true,
    onDone: (_kept, values) => {
      form.saved(values)
      keeping.kept({ ...values, publishAt: '' })
      const { publishAt } = values
      const message =
        publishAt === '' ? words.kept : words.scheduled(formatTime(instantOf(publishAt), language))
      notifications.show({ message, color: 'teal' })
    },
  })
  return { draft, save, keep, keepingNote: keeping.note }
}
