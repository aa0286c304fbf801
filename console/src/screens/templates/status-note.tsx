import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Template } from './editor/draft.ts'
import { templateTexts } from './texts.ts'

/** The meaning of the status, and why the template was rejected. */
export function StatusNote({ template }: { template: Template }) {
  const texts = useTexts(templateTexts)
  const { canWrite } = useSession()
  switch (template.status) {
    case 'REJECTED':
      return (
        <Alert color="red" variant="light" icon={<IconAlertTriangle />} title={texts.rejected}>
          <List size="sm">
            {reasonsOf(template.rejectReason ?? '').map((reason) => (
              <List.Item key={reason}>{reason}</List.Item>
            ))}
          </List>
          {canWrite && (
            <Text size="sm" mt="xs">
              {texts.fixHint}
            </Text>
          )}
        </Alert>
      )
    case 'PENDING_REVIEW':
      return <Alert variant="light">{texts.pendingHint}</Alert>
    case 'ENABLE':
      return canWrite ? <Text c="dimmed">{texts.enabledHint}</Text> : null
    case 'DISABLE':
      return (
        <Alert color="orange" variant="light">
          {texts.disabledHint}
        </Alert>
      )
    case 'DRAFT':
      return null
  }
}

/** The platform separates its reasons by semicolons. */
export function reasonsOf(rejectReason: string): string[] {
  return rejectReason
    .split(';')
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '')
}
