import { lazy, Suspense, useEffect } from 'react'
import { isDialogOpen } from '../../components/dialogs/open-dialog.ts'
import { ask } from '../../components/dialogs/questions.tsx'
import { TAKES_LETTERS } from '../../components/lists/list-keys.ts'
import { useTexts } from '../../texts/language.tsx'
import { shellTexts } from '../texts.ts'

const KeyLegend = lazy(async () => ({ default: (await import('./key-legend.tsx')).KeyLegend }))

/** A function that shows all keys of the console in a dialog. */
export function useKeyLegend(): () => void {
  const { keys } = useTexts(shellTexts)
  return () =>
    void ask({
      title: keys,
      size: 'lg',
      children: (
        <Suspense>
          <KeyLegend />
        </Suspense>
      ),
    })
}

/** `?` shows the keys, except in a field, and at the counter, where letters without a field belong to a scan. */
export function useLegendKey(): void {
  const show = useKeyLegend()
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key !== '?' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return
      const isElsewhere = (event.target as Element).closest(TAKES_LETTERS) !== null
      if (isElsewhere || location.pathname === '/pos' || isDialogOpen()) return
      event.preventDefault()
      show()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [show])
}
