import { ActionIcon, Alert, Code, CopyButton, Group, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'

/** A key, secret or link that is shown only once. */
export function SecretOnce({ hint, secret }: { hint: string; secret: string }) {
  const texts = useTexts(common)
  return (
    <Alert color="yellow" variant="light" role="status">
      <Text size="sm" mb="xs">
        {hint}
      </Text>
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
