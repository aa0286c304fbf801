import { Alert, Button, Center, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Problem } from '../api/problem.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'

/** A screen: its title (also the window's), its actions on the right, its content. */
export function Page(props: {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${props.title} · Shopbell`
  }, [props.title])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1} size="h2">
            {props.title}
          </Title>
          {props.subtitle !== undefined && <Text c="dimmed">{props.subtitle}</Text>}
        </div>
        {props.actions !== undefined && (
          <Group gap="xs" className="no-print">
            {props.actions}
          </Group>
        )}
      </Group>
      {props.children}
    </Stack>
  )
}

export function Card({
  title,
  children,
  actions,
}: {
  title?: ReactNode
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <Paper withBorder p="md">
      {title !== undefined && (
        <Group justify="space-between" mb="sm">
          <Title order={2} size="h4">
            {title}
          </Title>
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  )
}

/** What a list shows when it is empty: what it is for, and what to do next. */
export function EmptyState({ title, hint, action }: { title: string; hint: string; action?: ReactNode }) {
  return (
    <Center py={48}>
      <Stack align="center" gap="xs" maw={420}>
        <Text fw={600}>{title}</Text>
        <Text c="dimmed" ta="center">
          {hint}
        </Text>
        {action}
      </Stack>
    </Center>
  )
}

export function Waiting() {
  const texts = useTexts(common)
  return (
    <Center py={48} role="status" aria-label={texts.loading}>
      <Loader />
    </Center>
  )
}

export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts(common)
  const requestId = error instanceof Problem ? error.requestId : undefined
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={texts.failed} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentenceOf(error, texts.offline)}</Text>
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            {requestId}
          </Text>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** A sentence for any error: the service's own, or that it could not be reached. */
export function sentenceOf(error: unknown, offline: string): string {
  return error instanceof Problem ? error.message : offline
}

/** A query's three states around its content. */
export function Loaded<T>({
  query,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ProblemNote error={query.error} onRetry={() => query.refetch()} />
  return <Waiting />
}
