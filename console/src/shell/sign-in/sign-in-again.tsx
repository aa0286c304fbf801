import { Alert, Anchor, Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { resume } from '../../api/expiry.ts'
import { Problem } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import { meQuery, signIn } from '../../api/session.ts'
import { sentenceOf } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { useSession } from '../session.tsx'
import { shellTexts } from '../texts.ts'
import { useSignOutQuestion } from './sign-out-question.tsx'

const Z_INDEX = 500

/** A sign-in over the page, whose input stays. The same person signs in again, and the waiting requests are sent. */
export function SignInAgain() {
  const texts = useTexts(shellTexts)
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={texts.expiredTitle}
      zIndex={Z_INDEX}
    >
      <AgainForm />
    </Modal>
  )
}

function AgainForm() {
  const texts = useTexts(shellTexts)
  const { offline } = useTexts(common)
  const { email } = useSession().user
  const askBefore = useSignOutQuestion({ label: texts.asOther, zIndex: Z_INDEX + 1 })
  const [problem, setProblem] = useState<string>()
  const form = useForm({ initialValues: { password: '' } })

  const submit = form.onSubmit(async ({ password }) => {
    setProblem(undefined)
    try {
      await signIn(email, password)
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
      form.reset()
      resume()
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401
      setProblem(isWrong ? texts.wrongPassword : sentenceOf(error, offline))
    }
  })

  // What is typed in this tab is kept until somebody else has signed in.
  const leave = async () => location.assign('/sign-in')

  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{texts.expiredHint}</Text>
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput label={texts.email} value={email} readOnly autoComplete="username" />
        <PasswordInput
          label={texts.password}
          required
          data-autofocus
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={form.submitting}>
          {texts.signIn}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={() => void askBefore(leave)}>
          {texts.asOther}
        </Anchor>
      </Stack>
    </form>
  )
}
