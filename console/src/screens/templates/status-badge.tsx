import { Badge } from '../../components/badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Status } from './editor/draft.ts'
import { templateTexts } from './texts.ts'

const TONES = {
  DRAFT: 'quiet',
  PENDING_REVIEW: 'warn',
  ENABLE: 'good',
  DISABLE: 'warn',
  REJECTED: 'bad',
} as const

export function StatusBadge({ status }: { status: Status }) {
  const { statuses } = useTexts(templateTexts)
  return <Badge tone={TONES[status]}>{statuses[status]}</Badge>
}
