import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Invitation, Member } from '../../api/rows.ts'
import type { Role } from '../../api/session.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { Card, Loaded, ProblemNote } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { TabHint } from './tab-hint.tsx'
import { settingsTexts } from './texts.ts'

const ROLES: Role[] = ['owner', 'staff', 'viewer']

export function Members() {
  const { members: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const [isOpen, setIsOpen] = useState(false)
  const members = useQuery({
    queryKey: ['members'],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}/members', { params: { path: { id } } })),
  })
  return (
    <Stack>
      <Group justify="space-between">
        <TabHint tab="members" term="role" text={texts.hint} />
        <Button leftSection={<IconPlus size={16} />} onClick={() => setIsOpen(true)}>
          {texts.invite}
        </Button>
      </Group>
      <Loaded query={members}>
        {({ data }) => (
          <>
            <Card>
              <MemberTable members={data.members} />
            </Card>
            {data.invitations.length > 0 && (
              <Card title={texts.open}>
                <InvitationTable invitations={data.invitations} />
              </Card>
            )}
          </>
        )}
      </Loaded>
      <FormDialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={texts.invite}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <InviteForm />
      </FormDialog>
    </Stack>
  )
}

function useRoleOptions() {
  const { members: texts } = useTexts(settingsTexts)
  return ROLES.map((role) => ({ value: role, label: texts.roles[role] }))
}

function MemberTable({ members }: { members: Member[] }) {
  const { members: texts } = useTexts(settingsTexts)
  const words = useTexts(common)
  const id = useSession().shop!._id
  const [left, setLeft] = useState<KeysOfMember>()
  const removing = useAction({
    run: (userId: string) =>
      dataOf(api.DELETE('/api/manage/v1/shops/{id}/members/{userId}', { params: { path: { id, userId } } })),
    stale: [['members'], ['me']],
    onDone: ({ data: { member, keys } }) => {
      if (keys.length > 0) setLeft({ member, keys })
    },
  })
  const columns: Column<Member>[] = [
    {
      title: words.name,
      cell: ({ name, email }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        </>
      ),
    },
    {
      title: texts.role,
      width: 200,
      inCard: 'line',
      cell: (member) => <RoleSelect member={member} onKeysLeft={setLeft} />,
    },
    {
      width: 100,
      cell: ({ _id, name }) => (
        <ConfirmButton
          size="xs"
          question={texts.removeQuestion(name)}
          confirm={texts.remove}
          onConfirm={() => removing.mutate(_id)}
        >
          {texts.remove}
        </ConfirmButton>
      ),
    },
  ]
  return (
    <>
      <DataTable columns={columns} rows={members} keyOf={({ _id }) => _id} />
      <FormDialog
        opened={left !== undefined}
        onClose={() => setLeft(undefined)}
        title={texts.keysTitle}
        closeOnClickOutside={false}
      >
        {left !== undefined && <KeysLeft {...left} onDone={() => setLeft(undefined)} />}
      </FormDialog>
    </>
  )
}

/** A member's role, which is saved as soon as another is chosen. `onKeysLeft` is called if an owner's keys outlive the role. */
function RoleSelect({ member, onKeysLeft }: { member: Member; onKeysLeft: (left: KeysOfMember) => void }) {
  const { members: texts } = useTexts(settingsTexts)
  const { shop, user } = useSession()
  const id = shop!._id
  const client = useQueryClient()
  const roles = useRoleOptions()
  const params = { path: { id, userId: member._id } }
  const edit = useEdit({
    name: `role ${member._id}`,
    record: member,
    valuesOf: ({ role }: Member) => ({ role }),
    read: async () => {
      const query = { ids: member._id }
      const { data } = await dataOf(
        api.GET('/api/manage/v1/shops/{id}/members', { params: { path: { id }, query } }),
      )
      void client.invalidateQueries({ queryKey: ['members'] })
      return data.members[0]!
    },
    // The list that was read again shows it.
    put: () => undefined,
    labels: { role: texts.role },
    show: { role: (role) => texts.roles[role] },
  })
  const changing = useAction({
    run: (values: { role: Role }) =>
      edit.save(values, async (body, headers) => {
        const saved = api.PATCH('/api/manage/v1/shops/{id}/members/{userId}', { params, body, headers })
        const { data } = await dataOf(saved)
        // Who gave up the role may not revoke keys any more.
        if (data.keys.length > 0 && member._id !== user._id) onKeysLeft(data)
        return data.member
      }),
    stale: [['members'], ['me']],
    done: texts.saved,
  })
  return (
    <Select
      aria-label={`${texts.role}: ${member.name}`}
      data={roles}
      value={member.role}
      allowDeselect={false}
      onChange={(role) => {
        if (role === null) return
        edit.begin(member)
        changing.mutate({ role: role as Role })
      }}
    />
  )
}

type IssuedKey = { _id: string; name: string; prefix: string }
type KeysOfMember = { member: Member; keys: IssuedKey[] }

/** The keys that a former owner issued and has seen. They keep working until they are revoked. */
function KeysLeft(props: KeysOfMember & { onDone: () => void }) {
  const { members: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const revoking = useAction({
    run: (userId: string) =>
      dataOf(
        api.DELETE('/api/manage/v1/shops/{id}/members/{userId}/keys', { params: { path: { id, userId } } }),
      ),
    stale: [['keys']],
    done: texts.keysRevoked,
    onDone: props.onDone,
  })
  return (
    <Stack>
      <Text>{texts.keysHint(props.member.name)}</Text>
      <div>
        {props.keys.map((key) => (
          <Text key={key._id} size="sm">
            {key.name} ({key.prefix}…)
          </Text>
        ))}
      </div>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onDone}>
          {texts.keysKeep}
        </Button>
        <Button color="red" loading={revoking.isPending} onClick={() => revoking.mutate(props.member._id)}>
          {texts.keysRevoke}
        </Button>
      </Group>
    </Stack>
  )
}

function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const { members: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const revoking = useAction({
    run: (invitationId: string) =>
      dataOf(
        api.DELETE('/api/manage/v1/shops/{id}/invitations/{invitationId}', {
          params: { path: { id, invitationId } },
        }),
      ),
    stale: [['members']],
  })
  const columns: Column<Invitation>[] = [
    { title: texts.email, cell: ({ email }) => email },
    { title: texts.role, width: 200, cell: ({ role }) => texts.roles[role] },
    { title: texts.until, cell: ({ expiresAt }) => <When at={expiresAt} /> },
    {
      width: 100,
      cell: ({ _id, email }) => (
        <ConfirmButton
          size="xs"
          question={texts.takeBackQuestion(email)}
          confirm={texts.takeBack}
          onConfirm={() => revoking.mutate(_id)}
        >
          {texts.takeBack}
        </ConfirmButton>
      ),
    },
  ]
  return <DataTable columns={columns} rows={invitations} keyOf={({ _id }) => _id} />
}

function InviteForm() {
  const { members: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const roles = useRoleOptions()
  const form = useKeptForm<{ email: string; role: Role }>('invitation', { email: '', role: 'staff' })
  const inviting = useAction({
    form,
    run: (body: typeof form.values) =>
      dataOf(api.POST('/api/manage/v1/shops/{id}/invitations', { params: { path: { id } }, body })),
    stale: [['members']],
    quiet: true,
  })
  if (inviting.data !== undefined) {
    const { link, invitation } = inviting.data.data
    if (link === null) return <Text role="status">{texts.mailed(invitation.email)}</Text>
    return <SecretOnce hint={texts.link} secret={new URL(link, location.href).href} />
  }
  return (
    <form onSubmit={form.onSubmit((values) => inviting.mutate(values))}>
      <Stack>
        {inviting.error !== null && <ProblemNote error={inviting.error} />}
        <TextInput
          type="email"
          label={texts.email}
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Select
          label={texts.role}
          description={texts.roleHints[form.values.role]}
          data={roles}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={inviting.isPending}>
            {texts.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
