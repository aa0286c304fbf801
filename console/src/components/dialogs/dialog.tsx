import type { ModalProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

const load = () => import('./opened-dialog.tsx')
const OpenedDialog = lazy(async () => ({ default: (await load()).OpenedDialog }))

/** So that a dialog opens also where the service is away by then. */
export const fetchDialogs = (): Promise<unknown> => load()

/** Mantine's dialog, which no screen needs before it is first opened. */
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
