import { Button, Stack, Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { Card, Loaded } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { formatNumber } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { historyTexts } from './history-texts.ts'
import { type HistoryEntry, useChangeTexts } from './use-change-texts.ts'

const SHOWN = 5

/** The changes of a product and who made them, newest first. */
export function History({ productId }: { productId: string }) {
  const texts = useTexts(historyTexts)
  const [isWhole, setWhole] = useState(false)
  const entries = useQuery({
    queryKey: ['products', 'history', productId],
    queryFn: async () => {
      const params = { path: { id: productId } }
      return (await dataOf(api.GET('/api/external/v1/products/{id}/history', { params }))).data
    },
  })
  return (
    <Card title={texts.title}>
      <Loaded query={entries}>
        {(all) => (
          <Stack>
            {all.length === 0 && <Text c="dimmed">{texts.empty}</Text>}
            <Timeline active={all.length} bulletSize={16} lineWidth={2}>
              {(isWhole ? all : all.slice(0, SHOWN)).map((entry, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and only newer ones come before
                <Timeline.Item key={`${entry.at} ${all.length - at}`} title={texts.kinds[entry.kind]}>
                  <Entry entry={entry} />
                </Timeline.Item>
              ))}
            </Timeline>
            {!isWhole && all.length > SHOWN && (
              <Button variant="subtle" onClick={() => setWhole(true)}>
                {texts.more}
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const texts = useTexts(historyTexts)
  const { doneBy } = useTexts(common)
  const { language } = useLanguage()
  const linesOf = useChangeTexts()
  const more = entry.skuCount - entry.skus.length
  return (
    <>
      {linesOf(entry.changes).map((line) => (
        <Text size="sm" key={line} style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
      {entry.skus.map(({ name, changes }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two variants may have one name
        <Text size="sm" key={at} style={{ overflowWrap: 'anywhere' }}>
          {[name, linesOf(changes).join('; ')].filter((part) => part !== '').join(' · ')}
        </Text>
      ))}
      {more > 0 && <Text size="sm">{texts.others(formatNumber(more, language))}</Text>}
      <Text size="xs" c="dimmed">
        <When at={entry.at} />
        {` · ${entry.by === null ? texts.nobody : doneBy(entry.by)}`}
      </Text>
    </>
  )
}
