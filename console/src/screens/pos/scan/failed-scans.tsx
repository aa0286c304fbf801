import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'

/** `sale`: the sale that was open, if it could still take the scan. */
export type FailedScan = { id: number; text: string; why: string; sale: string | undefined }

/** Scans that led to no line. Each is announced, and stays until it is retried or dismissed, or its sale ends. */
export function FailedScans(props: {
  scans: FailedScan[]
  onRetry: (scan: FailedScan) => void
  onDismiss: (scan: FailedScan) => void
}) {
  const texts = useTexts(posTexts)
  return (
    <Stack gap={4}>
      {props.scans.map((scan) => (
        <Group key={scan.id} role="alert" gap="xs" wrap="nowrap" justify="space-between">
          <div>
            <Text size="sm" c="red" fw={600}>
              {texts.failedScan(scan.text)}
            </Text>
            <Text size="xs" c="dimmed">
              {scan.why}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={texts.retryScan(scan.text)}
              onClick={() => props.onRetry(scan)}
            >
              {texts.retry}
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={texts.dismissScan(scan.text)}
              onClick={() => props.onDismiss(scan)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      ))}
    </Stack>
  )
}
