import { Button, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../../api/problem.ts'
import { resetPassword } from '../../api/session.ts'
import { sentenceOf } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { shellTexts } from '../texts.ts'
import { Entrance } from './entrance.tsx'

/** The page of a link to reset the password. */
export function ResetPassword() {
  const texts = useTexts(shellTexts)
  const { offline } = useTexts(common)
  const navigate = useNavigate()
  const { token } = useSearch({ strict: false }) as { token?: string }
  const [problem, setProblem] = useState<string>()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < 10 ? texts.passwordHint : null) },
  })

  const submit = form.onSubmit(async ({ password }) => {
    setProblem(undefined)
    try {
      await resetPassword(token ?? '', password)
      notifications.show({ message: texts.passwordSet, color: 'teal' })
      await navigate({ to: '/sign-in' })
    } catch (error) {
      setProblem(error instanceof Problem ? texts.staleLink : sentenceOf(error, offline))
    }
  })

  return (
    <Entrance title={texts.resetTitle} problem={problem} onSubmit={submit}>
      <PasswordInput
        label={texts.newPassword}
        description={texts.passwordHint}
        required
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Button type="submit" loading={form.submitting}>
        {texts.setPassword}
      </Button>
    </Entrance>
  )
}
