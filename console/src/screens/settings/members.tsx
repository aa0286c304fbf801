import { Button, Group, Modal, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import type { Role } from '../../api/session.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { Card, Loaded, ProblemNote } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

const ROLES: Role[] = ['owner', 'staff', 'viewer']

type Member = { _id: string; name: string; email: string; role: Role }
type Invitation = { _id: string; email: string; role: Role; expiresAt: string }

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
        <Text c="dimmed">{texts.hint}</Text>
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
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={texts.invite}
        closeOnClickOutside={false}
      >
        <InviteForm />
      </Modal>
    </Stack>
  )
}

function useRoleOptions() {
  const { members: texts } = useTexts(settingsTexts)
  return ROLES.map((role) => ({ value: role, label: texts.roles[role] }))
}

function MemberTable({ members }: { members: Member[] }) {
  const { members: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const roles = useRoleOptions()
  const changing = useAction({
    run: ({ userId, role }: { userId: string; role: Role }) =>
      dataOf(
        api.PATCH('/api/manage/v1/shops/{id}/members/{userId}', {
          params: { path: { id, userId } },
          body: { role },
        }),
      ),
    stale: [['members'], ['me']],
    done: texts.saved,
  })
  const removing = useAction({
    run: (userId: string) =>
      dataOf(api.DELETE('/api/manage/v1/shops/{id}/members/{userId}', { params: { path: { id, userId } } })),
    stale: [['members'], ['me']],
  })
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Tbody>
          {members.map(({ _id, name, email, role }) => (
            <Table.Tr key={_id}>
              <Table.Td>
                <Text size="sm" fw={500}>
                  {name}
                </Text>
                <Text size="sm" c="dimmed">
                  {email}
                </Text>
              </Table.Td>
              <Table.Td w={180}>
                <Select
                  aria-label={`${texts.role}: ${name}`}
                  data={roles}
                  value={role}
                  allowDeselect={false}
                  onChange={(next) => next !== null && changing.mutate({ userId: _id, role: next as Role })}
                />
              </Table.Td>
              <Table.Td w={100} ta="right">
                <ConfirmButton
                  size="xs"
                  question={texts.removeQuestion(name)}
                  confirm={texts.remove}
                  onConfirm={() => removing.mutate(_id)}
                >
                  {texts.remove}
                </ConfirmButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Tbody>
          {invitations.map(({ _id, email, role, expiresAt }) => (
            <Table.Tr key={_id}>
              <Table.Td>{email}</Table.Td>
              <Table.Td>{texts.roles[role]}</Table.Td>
              <Table.Td>
                {texts.until} <When at={expiresAt} />
              </Table.Td>
              <Table.Td w={120} ta="right">
                <ConfirmButton
                  size="xs"
                  question={texts.takeBackQuestion(email)}
                  confirm={texts.takeBack}
                  onConfirm={() => revoking.mutate(_id)}
                >
                  {texts.takeBack}
                </ConfirmButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function InviteForm() {
  const { members: texts } = useTexts(settingsTexts)
  const id = useSession().shop!._id
  const roles = useRoleOptions()
  const form = useForm<{ email: string; role: Role }>({ initialValues: { email: '', role: 'staff' } })
  const inviting = useAction({
    run: (body: typeof form.values) =>
      dataOf(api.POST('/api/manage/v1/shops/{id}/invitations', { params: { path: { id } }, body })),
    stale: [['members']],
    quiet: true,
  })
  if (inviting.data !== undefined)
    return <SecretOnce hint={texts.link} secret={new URL(inviting.data.data.link, location.href).href} />
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        inviting.mutate(values, {
          onError: (error) => error instanceof Problem && form.setErrors(error.fields),
        }),
      )}
    >
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
