import { Alert, Stack, Title } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { useTexts } from '../../texts/language.tsx'
import { shellTexts } from '../texts.ts'
import classes from './entrance.module.css'

/** A form shown before the console itself: sign-in, an invitation, a new password. */
export function Entrance(props: {
  title: string
  problem: string | undefined
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
}) {
  const texts = useTexts(shellTexts)
  return (
    <div className={classes.entrance}>
      <header className={classes.cloth}>
        <div className={classes.brand}>
          <img src="/icon.svg" alt="" width={36} height={36} />
          Shopbell
        </div>
        <div className={classes.promise}>{texts.promise}</div>
      </header>
      <main className={classes.form}>
        <form onSubmit={props.onSubmit}>
          <Stack>
            <Title order={1} size="h2">
              {props.title}
            </Title>
            {props.problem !== undefined && (
              <Alert color="red" role="alert">
                {props.problem}
              </Alert>
            )}
            {props.children}
          </Stack>
        </form>
      </main>
    </div>
  )
}
