import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState, Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { templateTexts } from '../templates/texts.ts'
import { messageTexts } from './texts.ts'

/** Replaces the form of a screen that sends, in a shop without a template that it could send. `title`: the screen's. */
export function NoTemplate({ title }: { title: string }) {
  const texts = useTexts(messageTexts)
  const { add } = useTexts(templateTexts)
  return (
    <Page title={title}>
      <EmptyState
        title={texts.noneTitle}
        hint={texts.noneHint}
        action={
          <Button component={Link} to="/templates/new">
            {add}
          </Button>
        }
      />
    </Page>
  )
}
