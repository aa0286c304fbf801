import { Group, SegmentedControl } from '@mantine/core'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useTexts } from '../../texts/language.tsx'
import { messageTexts } from './texts.ts'

type Channel = 'phone' | 'uid'

/** Whether messages are addressed to phone numbers or to people's ids on the platform. */
export function ChannelChoice(props: { channel: Channel; onChange: (channel: Channel) => void }) {
  const { channel, onChange } = props
  const texts = useTexts(messageTexts)
  return (
    <Group gap={6} wrap="nowrap">
      <SegmentedControl
        flex={1}
        aria-label={texts.by}
        data={[
          { value: 'phone', label: texts.byPhone },
          { value: 'uid', label: texts.byUid },
        ]}
        value={channel}
        onChange={onChange}
      />
      <WhatsThis term="uid" of={texts.byUid} />
    </Group>
  )
}
