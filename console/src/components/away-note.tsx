import { Button, Loader } from '@mantine/core'
import { useEffect } from 'react'
import { knock, onReturn, useIsAway } from '../api/connection.ts'
import { queryClient } from '../api/query.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import classes from './away-note.module.css'

/** Says that the service is away, above the page, while it is asked again; what is shown is read again afterwards. */
export function AwayNote({ onBack }: { onBack?: () => void }) {
  const texts = useTexts(common)
  const isAway = useIsAway()
  useEffect(
    () =>
      onReturn(() => {
        void queryClient.invalidateQueries()
        onBack?.()
      }),
    [onBack],
  )
  if (!isAway) return null
  return (
    <div className={`${classes.note} no-print`} role="status">
      <Loader size="xs" color="yellow" aria-hidden />
      <span className={classes.text}>{texts.away}</span>
      <Button size="compact-sm" variant="default" onClick={() => void knock()}>
        {texts.retryNow}
      </Button>
    </div>
  )
}
