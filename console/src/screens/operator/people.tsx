import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Person } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { Card, Loaded, ProblemNote } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'

/** Links to pass on to people if email is not configured. */
export function People() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <ResetLink />
      <NewOperator />
    </SimpleGrid>
  )
}

function ResetLink() {
  const { people: texts } = useTexts(operatorTexts)
  const form = useKeptForm('reset-link', { email: '' })
  const making = useAction({
    form,
    run: (body: typeof form.values) => dataOf(api.POST('/api/manage/v1/reset-links', { body })),
    stale: [],
    quiet: true,
  })
  return (
    <Card title={texts.reset}>
      <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
        <Stack>
          <Text c="dimmed">{texts.resetHint}</Text>
          {making.error !== null && <ProblemNote error={making.error} />}
          {making.data !== undefined && (
            <SecretOnce hint={texts.resetLink} secret={new URL(making.data.data.link, location.href).href} />
          )}
          <TextInput type="email" label={texts.email} required {...form.getInputProps('email')} />
          <Group justify="flex-end">
            <Button type="submit" variant="light" loading={making.isPending}>
              {texts.resetMake}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

const operatorsKey = ['operator', 'operators']

function Operators() {
  const { people: texts } = useTexts(operatorTexts)
  const { user } = useSession()
  const operators = useQuery({
    queryKey: operatorsKey,
    queryFn: () => dataOf(api.GET('/api/manage/v1/operators')),
  })
  const removing = useAction({
    run: (userId: string) =>
      dataOf(api.DELETE('/api/manage/v1/operators/{userId}', { params: { path: { userId } } })),
    stale: [operatorsKey],
    done: texts.operatorRemoved,
  })
  const columns: Column<Person>[] = [
    { title: texts.name, cell: ({ name }) => name },
    { title: texts.email, cell: ({ email }) => email },
    {
      // Operators cannot remove themselves, because they could not undo it.
      cell: ({ _id, email }) =>
        _id !== user._id && (
          <ConfirmButton
            size="xs"
            question={texts.operatorRemoveQuestion(email)}
            confirm={texts.operatorRemove}
            onConfirm={() => removing.mutate(_id)}
          >
            {texts.operatorRemove}
          </ConfirmButton>
        ),
    },
  ]
  return (
    <Loaded query={operators}>
      {({ data }) => <DataTable columns={columns} rows={data} keyOf={({ _id }) => _id} />}
    </Loaded>
  )
}

function NewOperator() {
  const { people: texts } = useTexts(operatorTexts)
  const form = useKeptForm('operator', { name: '', email: '' })
  const { name, email } = form.values
  const making = useAction({
    form,
    run: (body: typeof form.values) => dataOf(api.POST('/api/manage/v1/operators', { body })),
    stale: [operatorsKey],
    quiet: true,
  })
  return (
    <Card title={texts.operator}>
      <Stack>
        <Operators />
        <Text c="dimmed">{texts.operatorHint}</Text>
        {making.error !== null && <ProblemNote error={making.error} />}
        {making.data !== undefined && (
          <SecretOnce hint={texts.resetLink} secret={new URL(making.data.data.link, location.href).href} />
        )}
        <TextInput label={texts.name} required {...form.getInputProps('name')} />
        <TextInput type="email" label={texts.email} required {...form.getInputProps('email')} />
        <Group justify="flex-end">
          <ConfirmButton
            color="cyan"
            loading={making.isPending}
            disabled={name.trim() === '' || !email.includes('@')}
            question={texts.operatorQuestion(email)}
            confirm={texts.operatorMake}
            onConfirm={() => making.mutate(form.values)}
          >
            {texts.operatorMake}
          </ConfirmButton>
        </Group>
      </Stack>
    </Card>
  )
}
