import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Webhook } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { TabHint } from './tab-hint.tsx'
import { settingsTexts } from './texts.ts'
import { Attempts } from './webhook-attempts.tsx'
import { WebhookForm } from './webhook-form.tsx'

export function Webhooks() {
  const { webhooks: texts } = useTexts(settingsTexts)
  const { isOwner } = useSession()
  const [open, setOpen] = useState<Webhook | 'new'>()
  const webhooks = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => dataOf(api.GET('/api/external/webhooks')),
  })
  const addButton = isOwner && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      {texts.add}
    </Button>
  )
  return (
    <Stack>
      <Group justify="space-between">
        <TabHint tab="webhooks" term="webhook" text={texts.hint} />
        {addButton}
      </Group>
      <Loaded query={webhooks}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} action={addButton} />
            </Card>
          ) : (
            data.map((webhook) => (
              <WebhookCard key={webhook._id} webhook={webhook} onEdit={() => setOpen(webhook)} />
            ))
          )
        }
      </Loaded>
      <FormDialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open === 'new' ? texts.add : texts.url}
        closeOnClickOutside={false}
        {...(open === 'new' && { closeOnEscape: false })}
      >
        {open !== undefined && (
          <WebhookForm webhook={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
        )}
      </FormDialog>
    </Stack>
  )
}

function WebhookCard({ webhook, onEdit }: { webhook: Webhook; onEdit: () => void }) {
  const { webhooks: texts } = useTexts(settingsTexts)
  const words = useTexts(common)
  const { isOwner } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const path = { path: { id: webhook._id } }
  const stale = [['webhooks'], ['overview']]
  const switching = useAction({
    run: (enabled: boolean) =>
      dataOf(api.PATCH('/api/external/webhooks/{id}', { params: path, body: { enabled } })),
    stale,
  })
  const testing = useAction({
    run: () => dataOf(api.POST('/api/external/webhooks/{id}/test', { params: path })),
    stale: [['webhooks', webhook._id]],
    done: texts.testSent,
    onDone: () => setIsOpen(true),
  })
  const rotating = useAction({
    run: () => dataOf(api.POST('/api/external/webhooks/{id}/rotate-secret', { params: path })),
    stale,
  })
  const deleting = useAction({
    run: () => dataOf(api.DELETE('/api/external/webhooks/{id}', { params: path })),
    stale,
  })
  return (
    <Card title={<Code fz="sm">{webhook.url}</Code>} actions={<Status webhook={webhook} />}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {webhook.events.includes('*') ? texts.allEvents : webhook.events.join(', ')}
        </Text>
        {webhook.disabledReason !== null && (
          <Text size="sm">
            {texts.reasons[webhook.disabledReason]} · <When at={webhook.disabledAt} />
          </Text>
        )}
        {rotating.data !== undefined && (
          <SecretOnce
            hint={texts.secret}
            term="webhookSecret"
            of={texts.secretName}
            secret={rotating.data.data.secret}
          />
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
            {texts.attempts}
          </Button>
          {isOwner && (
            <>
              <Button
                size="xs"
                variant="default"
                disabled={!webhook.enabled}
                loading={testing.isPending}
                onClick={() => testing.mutate()}
              >
                {texts.test}
              </Button>
              <Button size="xs" variant="default" onClick={onEdit}>
                {words.edit}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={switching.isPending}
                onClick={() => switching.mutate(!webhook.enabled)}
              >
                {webhook.enabled ? texts.turnOff : texts.turnOn}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={rotating.isPending}
                onClick={() => rotating.mutate()}
              >
                {texts.rotate}
              </Button>
              <ConfirmButton
                size="xs"
                question={texts.deleteQuestion(webhook.url)}
                onConfirm={() => deleting.mutate()}
              >
                {words.delete}
              </ConfirmButton>
            </>
          )}
        </Group>
        {isOpen && <Attempts webhookId={webhook._id} />}
      </Stack>
    </Card>
  )
}

function Status({ webhook }: { webhook: Webhook }) {
  const { webhooks: texts } = useTexts(settingsTexts)
  if (!webhook.enabled) return <Badge tone="quiet">{texts.disabled}</Badge>
  const isFailing = webhook.failingSince !== null
  return <Badge tone={isFailing ? 'warn' : 'good'}>{isFailing ? texts.failing : texts.enabled}</Badge>
}
