import { Alert, Group, Input, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { newsTexts } from '../../screens/news/texts.ts'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Waiting } from '../page.tsx'

const RichText = lazy(() => import('./rich-text.tsx').then(({ RichText }) => ({ default: RichText })))

const SHOWN = new Set(
  'a,b,blockquote,br,code,del,div,em,h1,h2,h3,h4,h5,h6,hr,i,li,ol,p,pre,s,span,strike,strong,u,ul'.split(','),
)

/** The tags of an article that the rich text editor does not support, such as `table`. */
function tagsLost(html: string): string[] {
  const tags = [...html.matchAll(/<([a-z][a-z0-9-]*)/gi)].map((match) => match[1]!.toLowerCase())
  return [...new Set(tags)].filter((tag) => !SHOWN.has(tag))
}

/**
 * An article's HTML as rich text, or as it is written. The rich text contains only what the editor's schema allows, so
 * that no other HTML reaches the page; an article with more than that opens as HTML.
 */
export function ContentEditor(props: { value: string; onChange: (html: string) => void; error: ReactNode }) {
  const texts = useTexts(newsTexts)
  const { canWrite } = useSession()
  const lost = tagsLost(props.value)
  const [mode, setMode] = useState<'text' | 'html'>(lost.length === 0 ? 'text' : 'html')
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Input.Label component="div" required>
          {texts.content}
        </Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={texts.content}
          value={mode}
          onChange={(next) => setMode(next as typeof mode)}
          data={[
            { value: 'text', label: texts.modes.text },
            { value: 'html', label: texts.modes.html },
          ]}
        />
      </Group>
      {lost.length > 0 && (
        <Alert color="yellow" variant="light" mb="xs">
          {texts.lost(lost.join(', '))}
        </Alert>
      )}
      {mode === 'html' ? (
        <Textarea
          aria-label={texts.content}
          autosize
          minRows={12}
          maxRows={30}
          disabled={!canWrite}
          error={props.error}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={props.value}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        />
      ) : (
        <>
          <Suspense fallback={<Waiting />}>
            <RichText value={props.value} onChange={props.onChange} />
          </Suspense>
          {props.error !== undefined && <Input.Error>{props.error}</Input.Error>}
        </>
      )}
    </Stack>
  )
}
