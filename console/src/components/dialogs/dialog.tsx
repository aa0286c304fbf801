import type { ModalProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

const load = () => import('./opened-dialog.tsx')
const OpenedDialog = lazy(async () => ({ default: (await load()).OpenedDialog }))

/** Loads the dialogs early, so that one can open even if the service is unavailable by then. */
export const fetchDialogs = (): Promise<unknown> => load()

/** Mantine's dialog, which is loaded only when it is first opened. */
export function Dialog(props: ModalProps) {
  const [isAsked, setIsAsked] = useState(props.opened)
  if (props.opened && !isAsked) setIsAsked(true)
  return (
    isAsked && (
      <Suspense>
        <OpenedDialog {...props} />
      </Suspense>
    )
  )
}
