import { Alert, Text } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { formatTime } from '../../../format.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { namedProblem, ownProblem } from '../../../texts/field-problem.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { Draft, DraftHead } from './draft.ts'
import { draftTexts } from './draft-texts.ts'

/** Why a draft was not published at its time, in the reader's language. */
export function reasonOf(
  { problemDetails }: Pick<DraftHead, 'problemDetails'>,
  texts: (typeof draftTexts)['vi'],
  language: Language,
): string {
  if (problemDetails.length === 0) return texts.couldNotBeStored
  return problemDetails.map((problem) => namedProblem(problem, language)).join('. ')
}

/** The same reasons by the form's fields. */
export function errorsOf(draft: Draft | undefined, language: Language): Record<string, string> {
  return Object.fromEntries(
    (draft?.problemDetails ?? []).map((problem) => [problem.key, ownProblem(problem, language)]),
  )
}

/** What happens to a stored draft by itself: when it will be published, or why it was not. */
export function PublishingNote({ draft }: { draft: Draft }) {
  const texts = useTexts(draftTexts)
  const { language } = useLanguage()
  if (draft.publishAt === null) return null
  const at = formatTime(draft.publishAt, language)
  if (draft.problem !== null)
    return (
      <Alert color="red" icon={<IconAlertCircle />} title={texts.notPublished(at)}>
        <Text size="sm">{reasonOf(draft, texts, language)}</Text>
        <Text size="sm">{texts.notPublishedHint}</Text>
      </Alert>
    )
  return (
    <Alert
      color="indigo"
      icon={<IconClock />}
      title={draft.status === 'active' ? texts.willPublish(at) : texts.willPublishHidden(at)}
    >
      <Text size="sm">{texts.willPublishHint}</Text>
    </Alert>
  )
}
