import { Button, Loader } from '@mantine/core'
import { useEffect } from 'react'
import { checkConnection, onReturn, useIsAway } from '../api/connection.ts'
import { queryClient } from '../api/query.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import classes from './away-note.module.css'

/**
 * A note above the page that the service is unavailable, while it is checked again. When it is back, the shown data is
 * read again.
 */
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
    <div className={`${classes.note} no-print`} role="status" data-away>
      <Loader size="xs" color="yellow" aria-hidden />
      <span className={classes.text}>{texts.away}</span>
      <Button size="compact-sm" variant="default" onClick={() => void checkConnection()}>
        {texts.retryNow}
      </Button>
    </div>
  )
}
