import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { type Term, termTexts } from './term-texts.ts'

/** The explanation of a term, and a link to the help page. */
export function TermNote({ term }: { term: Term }) {
  const texts = useTexts(termTexts)
  const { toHelp } = useTexts(common)
  return (
    <>
      <Text size="sm">{texts[term].text}</Text>
      <Anchor component={Link} to="/help" size="sm" data-mantine-stop-propagation>
        {toHelp}
      </Anchor>
    </>
  )
}
