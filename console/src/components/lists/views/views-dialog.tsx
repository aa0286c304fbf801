import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { useAction } from '../../actions.tsx'
import { useKeptForm } from '../../forms/kept-form.ts'
import { FormDialog } from '../../forms/leave-question.tsx'
import { ProblemNote, Waiting } from '../../page.tsx'
import {
  LONGEST_NAME,
  MOST_VIEWS,
  SAVED_VIEWS,
  saveViews,
  useSavedViews,
  useViewsQuery,
  type View,
  type ViewedList,
} from './saved-views.ts'
import { viewTexts } from './texts.ts'

/** Saves the list's current filters as a view, and renames or deletes views. */
export function ViewsDialog({ list, onClose }: { list: ViewedList; onClose: () => void }) {
  const texts = useTexts(viewTexts)
  // Another device may have saved views since this page read them: saving starts from what there is now.
  const read = useQuery({ ...useViewsQuery(), refetchOnMount: 'always' })
  return (
    <FormDialog opened onClose={onClose} title={texts.title}>
      {!read.isFetchedAfterMount ? (
        <Waiting />
      ) : read.isError ? (
        <ProblemNote error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <ViewsForm list={list} onClose={onClose} />
      )}
    </FormDialog>
  )
}

function ViewsForm({ list, onClose }: { list: ViewedList; onClose: () => void }) {
  const texts = useTexts(viewTexts)
  const words = useTexts(common)
  const { views, present, opened } = useSavedViews(list)
  const reasonAgainst = (count: number) => {
    if (Object.keys(present).length === 0) return texts.nothing
    if (opened !== undefined) return texts.isSaved(opened.name)
    return count < MOST_VIEWS ? undefined : texts.full(MOST_VIEWS)
  }
  const form = useKeptForm<Values>(
    // What was typed is kept for these views, not for others that are saved meanwhile.
    `views ${JSON.stringify(views)}`,
    { name: '', views },
    {
      validate: (values) =>
        problemsOf(values, reasonAgainst(values.views.length) === undefined ? views : undefined, texts),
    },
  )
  const { values } = form
  const nameField = useRef<HTMLInputElement>(null)
  // The dialog was open before this form, and has looked for its first field already; or it does so later.
  useEffect(() => nameField.current?.focus(), [])
  const reason = reasonAgainst(values.views.length)
  const saving = useAction({
    run: (changed: View[]) => saveViews(list, changed),
    stale: [SAVED_VIEWS],
    form,
    onDone: onClose,
  })
  function save() {
    const name = values.name.trim()
    const kept = values.views.map((view) => ({ ...view, name: view.name.trim() }))
    saving.mutate(name === '' || reason !== undefined ? kept : [...kept, { name, search: present }])
  }
  const hasNothingToSave = reason !== undefined && views.length === 0
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack>
        {reason === undefined ? (
          <TextInput
            label={texts.present}
            description={texts.presentHint}
            maxLength={LONGEST_NAME}
            ref={nameField}
            data-autofocus
            {...form.getInputProps('name')}
          />
        ) : (
          <Text size="sm">{reason}</Text>
        )}
        {values.views.length > 0 && (
          <Stack gap="xs">
            {values.views.map((view, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is typed, and the field keeps nothing itself.
              <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
                <TextInput
                  flex={1}
                  aria-label={texts.name(at + 1)}
                  maxLength={LONGEST_NAME}
                  {...form.getInputProps(`views.${at}.name`)}
                />
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size={36}
                  aria-label={texts.remove(view.name)}
                  onClick={() => form.removeListItem('views', at)}
                >
                  <IconTrash size={18} stroke={1.75} aria-hidden />
                </ActionIcon>
              </Group>
            ))}
          </Stack>
        )}
        <Group justify="flex-end">
          {hasNothingToSave ? (
            <Button onClick={onClose}>{words.close}</Button>
          ) : (
            <Button type="submit" loading={saving.isPending}>
              {words.save}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

type Values = { name: string; views: View[] }

/**
 * The errors of the fields: every view needs a name, and no two may be the same. With `before`, the existing views, the
 * person must name a new view or change one of these.
 */
function problemsOf(values: Values, before: View[] | undefined, texts: { needed: string; twice: string }) {
  const names = values.views.map(({ name }) => name.trim())
  const added = values.name.trim()
  const isUnchanged = JSON.stringify(values.views) === JSON.stringify(before)
  return {
    ...(added === '' && isUnchanged ? { name: texts.needed } : {}),
    ...(names.includes(added) && added !== '' ? { name: texts.twice } : {}),
    ...Object.fromEntries(
      names.flatMap((name, at) => {
        if (name === '') return [[`views.${at}.name`, texts.needed]]
        return names.indexOf(name) < at ? [[`views.${at}.name`, texts.twice]] : []
      }),
    ),
  }
}
