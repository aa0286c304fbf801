import { Group, Text } from '@mantine/core'
import type { Term } from '../../help/term-texts.ts'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

/** What a tab is for, and what its name means. */
export function TabHint(props: {
  tab: keyof (typeof settingsTexts)['vi']['tabs']
  term: Term
  text: string
}) {
  const { tabs } = useTexts(settingsTexts)
  return (
    <Group gap={6} wrap="nowrap">
      <Text c="dimmed">{props.text}</Text>
      <WhatsThis term={props.term} of={tabs[props.tab]} />
    </Group>
  )
}
