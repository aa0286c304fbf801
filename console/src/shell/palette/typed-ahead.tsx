import { VisuallyHidden } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import { paletteTexts } from './texts.ts'

const focus = (input: HTMLInputElement | null) => input?.focus()

/** Takes the text that is typed while the search is loading, because it is meant for the search and not for the page below. */
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
