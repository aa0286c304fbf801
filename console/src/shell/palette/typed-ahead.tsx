import { VisuallyHidden } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import { paletteTexts } from './texts.ts'

const focus = (input: HTMLInputElement | null) => input?.focus()

/** Takes what is typed while the search is being fetched: it is meant for it, and not for the page below. */
export function TypedAhead({ text, onType }: { text: string; onType: (text: string) => void }) {
  const { hint } = useTexts(paletteTexts)
  return (
    <VisuallyHidden>
      <input
        ref={focus}
        aria-label={hint}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </VisuallyHidden>
  )
}
