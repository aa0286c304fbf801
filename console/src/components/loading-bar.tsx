import { useRouterState } from '@tanstack/react-router'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import classes from './loading-bar.module.css'

/** A bar above everything while the next page is loading. The current page stays until then. */
export function LoadingBar() {
  const texts = useTexts(common)
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' })
  return isLoading && <div className={classes.bar} role="progressbar" aria-label={texts.loading} />
}
