import { Text, Tooltip } from '@mantine/core'
import { formatTime, formatVnd } from '../format.ts'
import { useLanguage } from '../texts/language.tsx'

/** An instant in the shop's zone; UTC on hover and for screen readers' title. */
export function When({ at }: { at: string | undefined | null }) {
  const { language } = useLanguage()
  if (!at)
    return (
      <Text span c="dimmed">
        –
      </Text>
    )
  return (
    <Tooltip label={at}>
      <time dateTime={at}>{formatTime(at, language)}</time>
    </Tooltip>
  )
}

export function Money({ vnd }: { vnd: number | undefined | null }) {
  const { language } = useLanguage()
  return <span className="num">{vnd === undefined || vnd === null ? '–' : formatVnd(vnd, language)}</span>
}
