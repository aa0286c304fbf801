import { ActionIcon, Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import { useSavedViews, useViewsQuery, type ViewedList } from './saved-views.ts'
import { viewTexts } from './texts.ts'
import classes from './views.module.css'

const ViewsDialog = lazy(async () => ({ default: (await import('./views-dialog.tsx')).ViewsDialog }))

/** The saved views of a list in one line. Pressing one opens it; pressing it again shows all rows. */
export function ViewChips({ list }: { list: ViewedList }) {
  const texts = useTexts(viewTexts)
  const { views, opened, open } = useSavedViews(list)
  const line = useRef<HTMLFieldSetElement>(null)
  const name = opened?.name
  useEffect(() => {
    if (name === undefined) return
    line.current
      ?.querySelector('[aria-pressed="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [name])
  if (views.length === 0) return null
  return (
    <fieldset ref={line} className={classes.line} aria-label={texts.title}>
      {views.map((view) => (
        <Button
          key={view.name}
          variant={view === opened ? 'light' : 'default'}
          radius="xl"
          size="compact-md"
          className={classes.chip}
          aria-pressed={view === opened}
          onClick={() => open(view)}
        >
          {view.name}
        </Button>
      ))}
    </fieldset>
  )
}

/** A button beside the filter fields, which saves the current filters and edits saved views. */
export function ViewsButton({ list }: { list: ViewedList }) {
  const texts = useTexts(viewTexts)
  const [isOpen, setOpen] = useState(false)
  if (!useViewsQuery().enabled) return null
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={texts.title}
        title={texts.title}
        onClick={() => setOpen(true)}
      >
        <IconBookmark size={18} stroke={1.75} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <ViewsDialog list={list} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
