import { Alert, Center, Group, Paper, Stack, Title } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'

/** A form before the console proper: sign-in, an invitation, a new password. */
export function Entrance(props: {
  title: string
  problem: string | undefined
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
}) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <form onSubmit={props.onSubmit}>
          <Stack>
            <Group wrap="nowrap">
              <img src="/icon.svg" alt="" width={32} height={32} />
              <Title order={1} size="h3">
                {props.title}
              </Title>
            </Group>
            {props.problem !== undefined && (
              <Alert color="red" role="alert">
                {props.problem}
              </Alert>
            )}
            {props.children}
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}
