import { ActionIcon, Alert, Code, CopyButton, Group, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { Term } from '../help/term-texts.ts'
import { WhatsThis } from '../help/whats-this.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'

/**
 * A key, secret or link that is shown only once. `term` explains what it is, called as in `of`. A dialog that shows one closes
 * only by its button: neither Escape nor a click outside may take it away.
 */
export function SecretOnce(
  props: { hint: string; secret: string } | { hint: string; secret: string; term: Term; of: string },
) {
  const { hint, secret } = props
  const texts = useTexts(common)
  return (
    <Alert color="yellow" variant="light" role="status">
      <Group gap={6} mb="xs">
        <Text size="sm">{hint}</Text>
        {'term' in props && <WhatsThis term={props.term} of={props.of} />}
      </Group>
      <Group wrap="nowrap" gap="xs">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="default"
              size="lg"
              onClick={copy}
              aria-label={texts.copy}
              title={copied ? texts.copied : texts.copy}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
    </Alert>
  )
}
