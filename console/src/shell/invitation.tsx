import { Button, Center, PasswordInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../api/problem.ts'
import { queryClient } from '../api/query.ts'
import { acceptInvitation, type Invited, invitationQuery, signIn } from '../api/session.ts'
import { EmptyState, ProblemNote, sentenceOf, Waiting } from '../components/page.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { Entrance } from './entrance.tsx'
import { shellTexts } from './texts.ts'

/** Where an invitation's link leads: a name and a password, or for who has an account only a yes. */
export function Invitation() {
  const texts = useTexts(shellTexts)
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const invited = useQuery(invitationQuery(token))
  if (invited.data !== undefined) return <JoinForm token={token} invited={invited.data} />
  if (invited.error === null) return <Waiting />
  const isGone = invited.error instanceof Problem && invited.error.status === 404
  return (
    <Center component="main" mih="100vh" p="md">
      {isGone ? (
        <EmptyState title={texts.notFoundTitle} hint={texts.staleLink} />
      ) : (
        <ProblemNote error={invited.error} onRetry={() => invited.refetch()} />
      )}
    </Center>
  )
}

function JoinForm({ token, invited }: { token: string; invited: Invited }) {
  const texts = useTexts(shellTexts)
  const { offline } = useTexts(common)
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      password: (value) => (!invited.hasAccount && value.length < 10 ? texts.passwordHint : null),
    },
  })

  const submit = form.onSubmit(async (account) => {
    setProblem(undefined)
    try {
      await acceptInvitation(token, invited.hasAccount ? {} : account)
      queryClient.clear()
      if (!invited.hasAccount) await signIn(invited.email, account.password)
      await navigate({ to: '/' })
    } catch (error) {
      setProblem(sentenceOf(error, offline))
    }
  })

  return (
    <Entrance title={invited.shopName} problem={problem} onSubmit={submit}>
      <Text>{texts.invitedTo(invited.shopName, texts.roles[invited.role])}</Text>
      <TextInput label={texts.email} value={invited.email} readOnly autoComplete="username" />
      {!invited.hasAccount && (
        <>
          <TextInput label={texts.yourName} required autoComplete="name" {...form.getInputProps('name')} />
          <PasswordInput
            label={texts.newPassword}
            description={texts.passwordHint}
            required
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        </>
      )}
      <Button type="submit" loading={form.submitting}>
        {texts.join}
      </Button>
    </Entrance>
  )
}
