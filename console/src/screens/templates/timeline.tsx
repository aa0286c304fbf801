import { Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { Card, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Status } from './editor/draft.ts'
import { StatusBadge } from './status-badge.tsx'
import { templateTexts } from './texts.ts'

/** The template's changes of status, oldest first. `status` is the current one: when it changes, the timeline is read again. */
export function TemplateTimeline({ id, status }: { id: string; status: Status }) {
  const texts = useTexts(templateTexts)
  const { doneBy } = useTexts(common)
  const timeline = useQuery({
    queryKey: ['templates', 'timeline', id, status],
    queryFn: () =>
      dataOf(api.GET('/api/external/notify-template/{id}/timeline', { params: { path: { id } } })),
  })
  return (
    <Card title={texts.timeline}>
      <Loaded query={timeline}>
        {({ data }) => (
          <Timeline active={data.length - 1} bulletSize={16} lineWidth={2}>
            {data.map((entry) => (
              <Timeline.Item
                key={`${entry.at}:${entry.status}`}
                title={<StatusBadge status={entry.status} />}
              >
                <Text size="xs" c="dimmed">
                  <When at={entry.at} /> ·{' '}
                  {entry.by === null ? texts.sources[entry.source] : doneBy(entry.by)}
                </Text>
                {entry.reason !== null && <Text size="sm">{entry.reason}</Text>}
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
    </Card>
  )
}
