import { Badge } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import type { Status } from './draft.ts'
import { templateTexts } from './texts.ts'

const COLOURS = {
  DRAFT: 'gray',
  PENDING_REVIEW: 'yellow',
  ENABLE: 'teal',
  DISABLE: 'orange',
  REJECTED: 'red',
}

export function StatusBadge({ status }: { status: Status }) {
  const { statuses } = useTexts(templateTexts)
  return (
    <Badge variant="light" color={COLOURS[status]} autoContrast>
      {statuses[status]}
    </Badge>
  )
}
