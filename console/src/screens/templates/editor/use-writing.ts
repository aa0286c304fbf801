import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { useAction } from '../../../components/actions.tsx'
import { takeAlong } from '../../../components/concurrent-edits/take-along.ts'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { sentenceOf } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { templateQuery } from '../queries.ts'
import {
  draftOfUnfinished,
  dropUnfinished,
  keepUnfinished,
  type Unfinished,
  unfinishedListQuery,
} from '../unfinished/unfinished.ts'
import { unfinishedTexts } from '../unfinished/unfinished-texts.ts'
import { bodyOf, type Draft, draftOf, type Template } from './draft.ts'
import { focusField } from './focus-field.ts'
import { editorTexts } from './texts.ts'
import { FORM, isUnfinished, type Stored, useDraftEdit } from './use-draft-edit.ts'

const LISTS = [['templates', 'list'], unfinishedListQuery.queryKey] as const

/**
 * Saves the form, and publishes it after saving. A new template continues at its own address. If creating it is
 * refused, it is stored as unfinished, and continues there.
 */
export function useWriting(
  template: Template | undefined,
  unfinished: Unfinished | undefined,
  form: {
    getValues: () => Draft
    saved: (values: Draft) => void
    put: (values: Draft, isSaved: boolean) => void
  },
) {
  const texts = useTexts(editorTexts)
  const words = useTexts(unfinishedTexts)
  const { offline } = useTexts(common)
  const navigate = useNavigate()
  const edit = useDraftEdit(template ?? unfinished, form.put)
  const { shop } = useSession()
  const creation = useSentOnce<ReturnType<typeof bodyOf>>(`template ${shop?._id}`)
  const firstKeeping = useSentOnce<Draft>(`unfinished template ${shop?._id}`)

  const write = async (draft: Draft, headers: { 'if-match'?: string }): Promise<Template> => {
    const body = bodyOf(draft)
    const params = { path: { id: template?._id ?? '' } }
    const { template: stored } =
      template === undefined
        ? await creation.send(body, (key) =>
            dataOf(api.POST('/api/external/notify-template/create', { body, headers: key })),
          )
        : await dataOf(api.PATCH('/api/external/notify-template/{id}', { params, body, headers }))
    // The template has all the content. If deleting the unfinished copy fails, it can be deleted in the list.
    if (unfinished !== undefined) await dropUnfinished(unfinished).catch(() => undefined)
    return stored
  }

  /** Shows what was stored of `sent`, at its own address if it is new. */
  async function show(stored: Stored, sent: Draft): Promise<void> {
    const now = form.getValues()
    if (isUnfinished(stored)) {
      if (unfinished !== undefined) return
      const address = `/templates/new?unfinished=${stored._id}`
      takeAlong(address, FORM, { sent, now, stored: draftOfUnfinished(stored) })
      await navigate({
        to: '/templates/new',
        search: { unfinished: stored._id } as never,
        replace: true,
        ignoreBlocker: true,
      })
      return
    }
    queryClient.setQueryData(templateQuery(stored._id).queryKey, { data: stored })
    if (template !== undefined) return
    const address = `/templates/${stored._id}`
    takeAlong(address, FORM, { sent, now, stored: draftOf(stored) })
    await navigate({ to: address, replace: true, ignoreBlocker: true })
  }

  const save = useAction({
    run: (given: Draft) =>
      edit.save(given, async (draft, headers) => {
        const stored = await write(draft, headers).catch((error: unknown) => {
          if (template !== undefined || !isOfFields(error)) throw error
          if (unfinished !== undefined) return keepUnfinished(unfinished, draft, headers)
          return firstKeeping.send(draft, (key) => keepUnfinished(undefined, draft, key))
        })
        form.saved(draft)
        return stored
      }),
    stale: [...LISTS],
    quiet: true,
    onDone(stored, sent) {
      notifications.show({ message: isUnfinished(stored) ? words.kept : texts.saved, color: 'teal' })
      void show(stored, sent)
    },
  })
  const publish = useAction({
    run: async (given: Draft) => {
      const stored = (await edit
        .save(given, async (draft, headers) => {
          const written = await write(draft, headers)
          form.saved(draft)
          return written
        })
        .catch(refuse)) as Template
      const params = { path: { id: stored._id } }
      const { template: published } = await dataOf(
        api.POST('/api/external/notify-template/{id}/publish', { params }),
      ).catch(async (error: unknown) => {
        await show(stored, given)
        // The form of a new template, which would show it, was replaced by that of the stored template.
        if (template === undefined) {
          notifications.show({
            color: 'red',
            message: isOfFields(error) ? texts.notSubmitted : sentenceOf(error, offline),
          })
          setTimeout(() => focusFirst(error))
        }
        return refuse(error)
      })
      return published
    },
    stale: [...LISTS, ['overview']],
    done: texts.published,
    quiet: true,
    onDone: (published, sent) => void show(published, sent),
  })

  // Once the form shows the problems and takes input again.
  useEffect(() => focusFirst(publish.error), [publish.error])
  return { save, publish }

  /** Throws the error. If it is of fields, they say themselves what is wrong. */
  function refuse(error: unknown): never {
    throw isOfFields(error) ? error.saying(texts.notSubmitted) : error
  }
}

/** Focuses the first field on the screen that was refused, if fields were. */
function focusFirst(error: unknown): void {
  if (isOfFields(error)) Object.keys(error.fields).some(focusField)
}

/** Whether fields of the template were refused, so that it is unfinished. */
function isOfFields(error: unknown): error is Problem {
  return error instanceof Problem && error.status === 400 && Object.keys(error.fields).length > 0
}
