import { Text } from '@mantine/core'
import { formatTime, formatVnd } from '../format.ts'
import { useLanguage } from '../texts/language.tsx'

/**
 * An instant in the shop's time zone. Hovering shows UTC as a native title, because a hundred tooltip components would
 * slow a list down.
 */
export function When({ at }: { at: string | undefined | null }) {
  const { language } = useLanguage()
  if (!at)
    return (
      <Text span c="dimmed">
        –
      </Text>
    )
  return (
    <time dateTime={at} title={at}>
      {formatTime(at, language)}
    </time>
  )
}

export function Money({ vnd }: { vnd: number | undefined | null }) {
  const { language } = useLanguage()
  return <span className="num">{vnd === undefined || vnd === null ? '–' : formatVnd(vnd, language)}</span>
}
