import { Group } from '@mantine/core'
import { useIsAway } from '../../../api/connection.ts'
import { Badge } from '../../../components/badge.tsx'
import { formatNumber } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'
import { useWaitingSales } from './use-waiting-sales.ts'

/** Shows whether there is a connection, and how many sales wait for it. */
export function ConnectionLight({ shopId }: { shopId: string }) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const isAway = useIsAway()
  const waiting = useWaitingSales(shopId).filter(({ refusal }) => refusal === undefined)
  return (
    <Group gap="xs" role="status" className="no-print">
      <Badge tone={isAway ? 'bad' : 'good'}>{isAway ? texts.away : texts.connected}</Badge>
      {waiting.length > 0 && (
        <Badge tone="warn">{texts.waiting(formatNumber(waiting.length, language))}</Badge>
      )}
    </Group>
  )
}
