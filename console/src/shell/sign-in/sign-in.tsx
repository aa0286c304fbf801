import { Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import { meQuery, signIn } from '../../api/session.ts'
import { sentenceOf } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { shellTexts } from '../texts.ts'
import { Entrance } from './entrance.tsx'

export function SignIn() {
  const texts = useTexts(shellTexts)
  const { offline } = useTexts(common)
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const form = useForm({ initialValues: { email: '', password: '' } })

  const submit = form.onSubmit(async ({ email, password }) => {
    setProblem(undefined)
    try {
      await signIn(email, password)
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
      await navigate({ to: '/' })
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401
      setProblem(isWrong ? texts.wrongPassword : sentenceOf(error, offline))
    }
  })

  return (
    <Entrance title={texts.signInTitle} problem={problem} onSubmit={submit}>
      <TextInput
        label={texts.email}
        type="email"
        required
        autoComplete="username"
        autoFocus
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={texts.password}
        required
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" loading={form.submitting}>
        {texts.signIn}
      </Button>
      <Text size="sm" c="dimmed">
        {texts.forgotten}
      </Text>
    </Entrance>
  )
}
