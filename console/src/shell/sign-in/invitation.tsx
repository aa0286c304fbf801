import { Button, Center, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import {
  acceptInvitation,
  type Invited,
  invitationQuery,
  meQuery,
  signIn,
  signOut,
} from '../../api/session.ts'
import { EmptyState, ProblemNote, sentenceOf, Waiting } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { shellTexts } from '../texts.ts'
import { Entrance } from './entrance.tsx'
import { forgetPerson } from './forget-person.ts'
import { useSignOutQuestion } from './sign-out-question.tsx'

/** The page of an invitation's link. It asks for a name and a password, or to sign in if there is an account. */
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
  const me = useQuery(meQuery)
  const askBefore = useSignOutQuestion()
  const [problem, setProblem] = useState<string>()
  const { email, hasAccount, mustProve } = invited
  const signedInAs = me.data?.user.email
  const isSignedIn = hasAccount && signedInAs === email
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      password: (value) => (!hasAccount && value.length < 10 ? texts.passwordHint : null),
    },
  })

  const submit = form.onSubmit(async (account) => {
    setProblem(undefined)
    try {
      if (hasAccount && !isSignedIn) await signIn(email, account.password)
      await acceptInvitation(token, hasAccount ? {} : account)
      if (!hasAccount) await signIn(email, account.password)
      queryClient.clear()
      await navigate({ to: '/' })
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401
      setProblem(isWrong ? texts.wrongPassword : sentenceOf(error, offline))
      // Signing in may have succeeded before the failure.
      await me.refetch()
    }
  })

  const leave = async () => {
    await signOut()
    forgetPerson()
    await me.refetch()
  }

  if (me.isPending) return <Waiting />
  return (
    <Entrance title={invited.shopName} problem={mustProve ? texts.proveFirst : problem} onSubmit={submit}>
      <Text>{texts.invitedTo(invited.shopName, texts.roles[invited.role])}</Text>
      <TextInput label={texts.email} value={email} readOnly autoComplete="username" />
      {hasAccount && !mustProve && signedInAs !== undefined && !isSignedIn && (
        <Group justify="space-between" gap="xs">
          <Text size="sm">{texts.otherAccount(signedInAs)}</Text>
          <Button variant="light" size="xs" onClick={() => void askBefore(leave)}>
            {texts.signOut}
          </Button>
        </Group>
      )}
      {hasAccount && !mustProve && signedInAs === undefined && (
        <>
          <PasswordInput
            label={texts.password}
            description={texts.yourPassword}
            required
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <Text size="sm" c="dimmed">
            {texts.forgotten}
          </Text>
        </>
      )}
      {!hasAccount && (
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
      {!mustProve && (!hasAccount || isSignedIn || signedInAs === undefined) && (
        <Button type="submit" loading={form.submitting}>
          {hasAccount && !isSignedIn ? texts.signInAndJoin : texts.join}
        </Button>
      )}
    </Entrance>
  )
}
