import { useRouterState } from '@tanstack/react-router'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import classes from './loading-bar.module.css'

/** Above everything while the next page is on its way; the present one stays until then. */
export function LoadingBar() {
  const texts = useTexts(common)
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' })
  return isLoading && <div className={classes.bar} role="progressbar" aria-label={texts.loading} />
}
