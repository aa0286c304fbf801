import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Key } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Card } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { ChangeShare, NewKey, RotateKey } from './key-forms.tsx'
import { TabHint } from './tab-hint.tsx'
import { settingsTexts } from './texts.ts'

const SCOPES = 6

export function Keys() {
  const { keys: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const [open, setOpen] = useState<{ form: 'new' } | { form: 'rotate' | 'share'; key: Key }>()
  const columns = useColumns((key, form) => setOpen({ form, key }))
  // Revoked keys stay in the list, so an old one that still works may be far down.
  const [list, setList] = useListState({ page: 1, size: 50 })
  const keys = useQuery({
    queryKey: ['keys', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/manage/v1/shops/{id}/keys', {
          params: { path: { id }, query: { page: list.page, limit: list.size } },
        }),
      ),
  })
  const close = () => setOpen(undefined)
  const addButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ form: 'new' })}>
      {texts.add}
    </Button>
  )
  return (
    <Stack>
      <Group justify="space-between">
        <TabHint tab="keys" term="apiKey" text={texts.hint} />
        {addButton}
      </Group>
      <Card>
        <List
          query={keys}
          rowsOf={({ data }) => data}
          lengthOf={({ meta }) => meta}
          columns={columns}
          state={list}
          setState={setList}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint, action: addButton }}
        />
      </Card>
      <FormDialog
        opened={open?.form === 'new'}
        onClose={close}
        title={texts.add}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <NewKey onClose={close} />
      </FormDialog>
      <FormDialog
        opened={open?.form === 'rotate'}
        onClose={close}
        title={texts.rotate}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        {open?.form === 'rotate' && <RotateKey apiKey={open.key} onClose={close} />}
      </FormDialog>
      <FormDialog
        opened={open?.form === 'share'}
        onClose={close}
        title={texts.changeShare}
        closeOnClickOutside={false}
      >
        {open?.form === 'share' && <ChangeShare apiKey={open.key} onClose={close} />}
      </FormDialog>
    </Stack>
  )
}

function useColumns(onChange: (key: Key, form: 'rotate' | 'share') => void): Column<Key>[] {
  const { keys: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const revoking = useAction({
    run: (keyId: string) =>
      dataOf(api.DELETE('/api/manage/v1/shops/{id}/keys/{keyId}', { params: { path: { id, keyId } } })),
    stale: [['keys']],
    done: texts.revoked,
  })
  const scopeNames: Record<string, string> = texts.scope
  return [
    {
      title: texts.name,
      cell: ({ name, prefix }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Code>{prefix}…</Code>
        </>
      ),
    },
    {
      title: texts.scopes,
      cell: ({ scopes }) =>
        scopes.length === SCOPES
          ? texts.allScopes
          : scopes.map((scope) => scopeNames[scope] ?? scope).join(', '),
    },
    {
      title: texts.maxPerMinute,
      cell: ({ maxPerMinute }) => maxPerMinute ?? texts.noShare,
    },
    {
      title: texts.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : <When at={lastUsedAt} />),
    },
    {
      title: texts.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? texts.noExpiry : <When at={expiresAt} />),
    },
    {
      cell: (key) =>
        key.revokedAt !== null ? (
          <Badge tone="quiet">{texts.revoked}</Badge>
        ) : (
          <Group gap="xs" justify="flex-end" miw={{ sm: 'max-content' }}>
            <Button size="xs" variant="default" onClick={() => onChange(key, 'share')}>
              {texts.changeShare}
            </Button>
            <Button size="xs" variant="default" onClick={() => onChange(key, 'rotate')}>
              {texts.rotate}
            </Button>
            <ConfirmButton
              size="xs"
              question={texts.revokeQuestion(key.name)}
              confirm={texts.revoke}
              onConfirm={() => revoking.mutate(key._id)}
            >
              {texts.revoke}
            </ConfirmButton>
          </Group>
        ),
    },
  ]
}
