import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { Card, Loaded, ProblemNote } from '../../../components/page.tsx'
import { SecretOnce } from '../../../components/secret-once.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'
import { peopleQuery } from './queries.ts'

/** The shop's members, and the invitation of its owner, who invites the others. */
export function ShopPeople({ shopId }: { shopId: string }) {
  const { people: texts } = useTexts(operatorTexts)
  const people = useQuery(peopleQuery(shopId))
  return (
    <Card title={texts.members}>
      <Stack>
        <Loaded query={people}>
          {({ data: { members, invitations } }) =>
            members.length + invitations.length === 0 ? (
              <Text c="dimmed">{texts.nobody}</Text>
            ) : (
              <div>
                {members.map((member) => (
                  <Text key={member._id} size="sm">
                    {member.name} ({member.email}): {texts.roles[member.role]}
                  </Text>
                ))}
                {invitations.map((invitation) => (
                  <Text key={invitation._id} size="sm" c="dimmed">
                    {invitation.email}: {texts.roles[invitation.role]}, {texts.invited}
                  </Text>
                ))}
              </div>
            )
          }
        </Loaded>
        <InviteOwner shopId={shopId} />
      </Stack>
    </Card>
  )
}

function InviteOwner({ shopId }: { shopId: string }) {
  const { people: texts } = useTexts(operatorTexts)
  const form = useKeptForm('owner', { email: '' })
  const inviting = useAction({
    form,
    run: ({ email }: typeof form.values) =>
      dataOf(
        api.POST('/api/manage/v1/shops/{id}/invitations', {
          params: { path: { id: shopId } },
          body: { email, role: 'owner' },
        }),
      ),
    stale: [peopleQuery(shopId).queryKey, ['members']],
    quiet: true,
    onDone: () => form.clear(),
  })
  return (
    <form onSubmit={form.onSubmit((values) => inviting.mutate(values))}>
      <Stack gap="xs">
        {inviting.error !== null && <ProblemNote error={inviting.error} />}
        {inviting.data?.data.link != null && (
          <SecretOnce hint={texts.inviteLink} secret={new URL(inviting.data.data.link, location.href).href} />
        )}
        <Group align="flex-end">
          <TextInput
            type="email"
            label={texts.email}
            required
            flex={1}
            miw={200}
            {...form.getInputProps('email')}
          />
          <Button type="submit" variant="light" loading={inviting.isPending}>
            {texts.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
