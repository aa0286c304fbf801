import { Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Webhook } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { ProblemNote } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Explained } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

const EVENTS = [
  'order.created',
  'order.status_changed',
  'order.paid',
  'order.returned',
  'product.created',
  'product.updated',
  'stock.changed',
  'news.updated',
  'template.status_changed',
  'message.received',
  'message.delivered',
  'message.failed',
  'wallet.low',
  'official_account.disconnected',
] as const
type Event = (typeof EVENTS)[number] | '*'

const valuesOf = (webhook: Webhook | undefined) => ({
  url: webhook?.url ?? 'https://',
  events: (webhook?.events ?? ['*']) as Event[],
})

/** Creates a webhook, whose secret is then shown once, or changes the address and events of the given one. */
export function WebhookForm({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const { webhooks: texts } = useTexts(settingsTexts)
  const words = useTexts(common)
  const name = `webhook ${webhook?._id ?? 'new'}`
  const form = useKeptForm(name, valuesOf(webhook))
  const params = { path: { id: webhook?._id ?? '' } }
  const edit = useEdit({
    name,
    record: webhook,
    valuesOf,
    read: async () => (await dataOf(api.GET('/api/external/webhooks/{id}', { params }))).data,
    put: form.put,
    labels: texts,
  })
  const all = form.values.events.includes('*')
  const once = useSentOnce<typeof form.values>(`webhook ${useSession().shop?._id}`)
  const saving = useAction({
    form,
    run: async (body: typeof form.values): Promise<string | undefined> => {
      if (webhook === undefined)
        return once.send(
          body,
          async (headers) =>
            (await dataOf(api.POST('/api/external/webhooks', { body, headers }))).data.secret,
        )
      await edit.save(body, async (mine, headers) => {
        const call = api.PATCH('/api/external/webhooks/{id}', { params, body: mine, headers })
        return (await dataOf(call)).data
      })
      return undefined
    },
    stale: [['webhooks']],
    quiet: true,
    onDone: (secret) => secret === undefined && onClose(),
  })
  if (typeof saving.data === 'string')
    return (
      <Stack>
        <SecretOnce hint={texts.secret} term="webhookSecret" of={texts.secretName} secret={saving.data} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.close}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <TextInput label={texts.url} type="url" required data-autofocus {...form.getInputProps('url')} />
        <Explained term="event" of={texts.events}>
          <Checkbox
            label={texts.allEvents}
            checked={all}
            onChange={(event) => form.setFieldValue('events', event.currentTarget.checked ? ['*'] : [])}
          />
        </Explained>
        {!all && (
          <Checkbox.Group
            label={texts.events}
            description={texts.eventsHint}
            {...form.getInputProps('events')}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
              {EVENTS.map((event) => (
                <Checkbox key={event} value={event} label={event} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending} disabled={form.values.events.length === 0}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
