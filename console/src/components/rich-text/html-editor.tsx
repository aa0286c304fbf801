import { Alert, Group, Input, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { unsupportedTags } from './html-values.ts'
import { LaterRichText } from './later-rich-text.tsx'
import { richTexts } from './texts.ts'

const ROW_PX = 22

/**
 * Edits a text in HTML as rich text, or as HTML source. The rich text contains only what the editor's schema allows, so
 * no other HTML reaches the page. A text with other HTML opens as source.
 */
export function HtmlEditor(props: {
  label: string
  value: string
  onChange: (html: string) => void
  error: ReactNode
  required?: boolean
  /** The number of rows while the text is short. */
  minRows?: number
}) {
  const { label, value, onChange, error, minRows = 12 } = props
  const texts = useTexts(richTexts)
  const { canWrite } = useSession()
  const minHeightPx = minRows * ROW_PX
  const lost = unsupportedTags(value)
  const [mode, setMode] = useState<'text' | 'html'>(lost.length === 0 ? 'text' : 'html')
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Input.Label component="div" required={props.required}>
          {label}
        </Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={texts.modeOf(label)}
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
          aria-label={label}
          autosize
          minRows={minRows}
          maxRows={30}
          disabled={!canWrite}
          error={error}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <>
          <LaterRichText
            label={label}
            value={value}
            minHeightPx={minHeightPx}
            isRefused={error !== undefined}
            onChange={onChange}
          />
          {error !== undefined && <Input.Error>{error}</Input.Error>}
        </>
      )}
    </Stack>
  )
}
