import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { api } from '../api/client.ts'
import { dataOf, Problem } from '../api/problem.ts'
import { useAction } from '../components/actions.tsx'
import { useKeptForm } from '../components/forms/kept-form.ts'
import { FormDialog } from '../components/forms/leave-question.tsx'
import { ProblemNote } from '../components/page.tsx'
import { useTexts } from '../texts/language.tsx'
import { passwordTexts } from './password-texts.ts'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

const SHORTEST = 10
const EMPTY = { currentPassword: '', newPassword: '' }

/** The dialog in which people change their own password. */
export function ChangePassword({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { title } = useTexts(passwordTexts)
  return (
    <FormDialog opened={opened} onClose={onClose} title={title} closeOnClickOutside={false}>
      {opened && <PasswordForm onDone={onClose} />}
    </FormDialog>
  )
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const texts = useTexts(passwordTexts)
  const words = useTexts(shellTexts)
  const { user } = useSession()
  const form = useKeptForm('password', EMPTY, {
    isSecret: true,
    validate: { newPassword: (text) => (text.length < SHORTEST ? words.passwordHint : null) },
  })
  const changing = useAction({
    form,
    run: (body: typeof EMPTY) => dataOf(api.POST('/api/auth/change-password', { body })),
    stale: [],
    done: texts.changed,
    quiet: true,
    onDone,
  })
  const isWrong = changing.error instanceof Problem && changing.error.status === 401
  const send = (values: typeof EMPTY) =>
    changing.mutate(values, {
      onError: (error) => {
        if (error instanceof Problem && error.status === 401) form.setErrors({ currentPassword: texts.wrong })
      },
    })
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack>
        {changing.error !== null && !isWrong && <ProblemNote error={changing.error} />}
        <Text size="sm">{texts.hint}</Text>
        {/* Password managers need it to know whose password changes. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label={texts.current}
          required
          data-autofocus
          autoComplete="current-password"
          maxLength={128}
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label={words.newPassword}
          description={words.passwordHint}
          required
          autoComplete="new-password"
          maxLength={128}
          {...form.getInputProps('newPassword')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={changing.isPending}>
            {texts.title}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
