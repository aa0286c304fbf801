import { Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Key } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { DateInput } from '../../components/forms/date-input.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { Select } from '../../components/forms/select/select.tsx'
import { WholeNumberInput } from '../../components/forms/whole-number-input.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { endOfDay } from '../../format.ts'
import { Explained } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

const SCOPES = ['read', 'catalogue', 'orders', 'content', 'messages', 'wallet'] as const
type Scope = (typeof SCOPES)[number]
const OVERLAP_SECONDS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const

/** A new key as text, and a button to close. */
function Issued({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  const { keys: texts } = useTexts(settingsTexts)
  const { close } = useTexts(common)
  return (
    <Stack>
      <SecretOnce hint={texts.shownOnce} secret={apiKey} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {close}
        </Button>
      </Group>
    </Stack>
  )
}

/** How many of the shop's requests per minute a key may use; empty means all. */
function ShareInput(props: ComponentProps<typeof WholeNumberInput>) {
  const { keys: texts } = useTexts(settingsTexts)
  return (
    <Explained term="rateLimit" of={texts.maxPerMinute}>
      <WholeNumberInput
        label={texts.maxPerMinute}
        description={texts.maxPerMinuteHint}
        min={1}
        max={1_000_000}
        {...props}
      />
    </Explained>
  )
}

export function NewKey({ onClose }: { onClose: () => void }) {
  const { keys: texts } = useTexts(settingsTexts)
  const { create } = useTexts(common)
  const id = useSession().shop!._id
  const form = useKeptForm('key', {
    name: '',
    scopes: [...SCOPES] as Scope[],
    expires: '',
    maxPerMinute: null as number | null,
  })
  const making = useAction({
    form,
    run: ({ name, scopes, expires, maxPerMinute }: typeof form.values) =>
      dataOf(
        api.POST('/api/manage/v1/shops/{id}/keys', {
          params: { path: { id } },
          body: {
            name,
            scopes,
            ...(expires === '' ? {} : { expiresAt: endOfDay(expires) }),
            ...(maxPerMinute === null ? {} : { maxPerMinute }),
          },
        }),
      ),
    stale: [['keys']],
    quiet: true,
  })
  if (making.data !== undefined) return <Issued apiKey={making.data.data.apiKey} onClose={onClose} />
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Stack>
        {making.error !== null && <ProblemNote error={making.error} />}
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Explained term="scope" of={texts.scopes}>
          <Checkbox.Group
            label={texts.scopes}
            description={texts.scopesHint}
            {...form.getInputProps('scopes')}
          >
            <SimpleGrid cols={2} mt="xs">
              {SCOPES.map((scope) => (
                <Checkbox key={scope} value={scope} label={texts.scope[scope]} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </Explained>
        <DateInput label={texts.expires} description={texts.noExpiry} {...form.getInputProps('expires')} />
        <ShareInput {...form.getInputProps('maxPerMinute')} />
        <Group justify="flex-end">
          <Button type="submit" loading={making.isPending} disabled={form.values.scopes.length === 0}>
            {create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function RotateKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const { keys: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const form = useKeptForm<{ overlap: keyof typeof OVERLAP_SECONDS }>(`rotate ${apiKey._id}`, {
    overlap: 'day',
  })
  const rotating = useAction({
    form,
    run: (overlapSeconds: number) =>
      dataOf(
        api.POST('/api/manage/v1/shops/{id}/keys/{keyId}/rotate', {
          params: { path: { id, keyId: apiKey._id } },
          body: { overlapSeconds },
        }),
      ),
    stale: [['keys']],
  })
  if (rotating.data !== undefined) return <Issued apiKey={rotating.data.data.apiKey} onClose={onClose} />
  return (
    <form onSubmit={form.onSubmit(({ overlap }) => rotating.mutate(OVERLAP_SECONDS[overlap]))}>
      <Stack>
        <Text size="sm">
          {apiKey.name}: {texts.rotateHint}
        </Text>
        <Select
          label={texts.overlap}
          data-autofocus
          allowDeselect={false}
          data={(Object.keys(OVERLAP_SECONDS) as (keyof typeof OVERLAP_SECONDS)[]).map((overlap) => ({
            value: overlap,
            label: texts.overlaps[overlap],
          }))}
          {...form.getInputProps('overlap')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={rotating.isPending}>
            {texts.rotate}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type Share = Pick<Key, 'maxPerMinute'>

const shareOf = ({ maxPerMinute }: Share): Share => ({ maxPerMinute })

export function ChangeShare({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const { keys: texts } = useTexts(settingsTexts)
  const { save } = useTexts(common)
  const id = useSession().shop!._id
  const name = `share ${apiKey._id}`
  const params = { path: { id, keyId: apiKey._id } }
  const form = useKeptForm(name, shareOf(apiKey))
  const edit = useEdit({
    name,
    record: apiKey,
    valuesOf: shareOf,
    read: async () => (await dataOf(api.GET('/api/manage/v1/shops/{id}/keys/{keyId}', { params }))).data.key,
    put: form.put,
    labels: { maxPerMinute: texts.maxPerMinute },
  })
  const changing = useAction({
    form,
    run: (values: Share) =>
      edit.save(values, async (body, headers) => {
        const saved = api.PATCH('/api/manage/v1/shops/{id}/keys/{keyId}', { params, body, headers })
        return (await dataOf(saved)).data.key
      }),
    stale: [['keys']],
    done: texts.shareChanged,
    onDone: onClose,
  })
  return (
    <form onSubmit={form.onSubmit((values) => changing.mutate(values))}>
      <Stack>
        <Text size="sm">
          {apiKey.name}: {texts.changeShareHint}
        </Text>
        <ShareInput data-autofocus {...form.getInputProps('maxPerMinute')} />
        <Group justify="flex-end">
          <Button type="submit" loading={changing.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
