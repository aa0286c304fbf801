import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { useAction } from '../../../components/actions.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { templateQuery } from '../queries.ts'
import {
  dropUnfinished,
  keepUnfinished,
  type Unfinished,
  unfinishedListQuery,
} from '../unfinished/unfinished.ts'
import { unfinishedTexts } from '../unfinished/unfinished-texts.ts'
import { bodyOf, type Draft, type Template } from './draft.ts'
import { editorTexts } from './texts.ts'
import { isUnfinished, type Stored, useDraftEdit } from './use-draft-edit.ts'

const LISTS = [['templates', 'list'], unfinishedListQuery.queryKey] as const

/**
 * Saves the form, and publishes it after saving. A new template continues at its own address. If creating it is
 * refused, it is stored as unfinished, and continues there.
 */
export function useWriting(
  template: Template | undefined,
  unfinished: Unfinished | undefined,
  form: { saved: (values: Draft) => void; put: (values: Draft, isSaved: boolean) => void },
) {
  const texts = useTexts(editorTexts)
  const words = useTexts(unfinishedTexts)
  const navigate = useNavigate()
  const edit = useDraftEdit(template ?? unfinished, form.put)

  const write = async (draft: Draft, headers: { 'if-match'?: string }): Promise<Template> => {
    const body = bodyOf(draft)
    const params = { path: { id: template?._id ?? '' } }
    const call =
      template === undefined
        ? api.POST('/api/external/notify-template/create', { body })
        : api.PATCH('/api/external/notify-template/{id}', { params, body, headers })
    const stored = (await dataOf(call)).template
    // The template has all the content. If deleting the unfinished copy fails, it can be deleted in the list.
    if (unfinished !== undefined) await dropUnfinished(unfinished).catch(() => undefined)
    return stored
  }

  function show(stored: Stored): void {
    if (isUnfinished(stored)) {
      if (unfinished === undefined)
        void navigate({
          to: '/templates/new',
          search: { unfinished: stored._id } as never,
          replace: true,
          ignoreBlocker: true,
        })
      return
    }
    queryClient.setQueryData(templateQuery(stored._id).queryKey, { data: stored })
    if (template === undefined)
      void navigate({ to: `/templates/${stored._id}`, replace: true, ignoreBlocker: true })
  }

  const save = useAction({
    run: (given: Draft) =>
      edit.save(given, async (draft, headers) => {
        const stored = await write(draft, headers).catch((error: unknown) => {
          if (template !== undefined || !isOfFields(error)) throw error
          return keepUnfinished(unfinished, draft, headers)
        })
        form.saved(draft)
        return stored
      }),
    stale: [...LISTS],
    quiet: true,
    onDone(stored) {
      notifications.show({ message: isUnfinished(stored) ? words.kept : texts.saved, color: 'teal' })
      show(stored)
    },
  })
  const publish = useAction({
    run: async (given: Draft) => {
      const stored = (await edit.save(given, async (draft, headers) => {
        const written = await write(draft, headers)
        form.saved(draft)
        return written
      })) as Template
      show(stored)
      const params = { path: { id: stored._id } }
      return (await dataOf(api.POST('/api/external/notify-template/{id}/publish', { params }))).template
    },
    stale: [...LISTS, ['overview']],
    done: texts.published,
    // The form of a new template may be unmounted by then, because it continues at the stored template's address.
    quiet: template !== undefined,
    onDone: show,
  })
  return { save, publish }
}

/** Whether fields of the template were refused, so that it is unfinished. */
function isOfFields(error: unknown): boolean {
  return error instanceof Problem && error.status === 400 && Object.keys(error.fields).length > 0
}
