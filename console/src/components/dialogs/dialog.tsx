import type { ModalProps } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useState } from 'react'

/** A dialog that is fetched when it is first opened. It stays from then on, so that it can close slowly. */
export function openedLater<Props extends { opened: boolean }>(load: () => Promise<ComponentType<Props>>) {
  const Opened = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return function OpenedLater(props: Props) {
    const [isAsked, setIsAsked] = useState(props.opened)
    if (props.opened && !isAsked) setIsAsked(true)
    return (
      isAsked && (
        <Suspense>
          <Opened {...props} />
        </Suspense>
      )
    )
  }
}

const load = async () => (await import('./opened-dialog.tsx')).OpenedDialog

/** Loads the dialogs early, so that one can open even if the service is unavailable by then. */
export const fetchDialogs = (): Promise<unknown> => load()

/** Mantine's dialog, which no screen needs before it is first opened. */
export const Dialog = openedLater<ModalProps>(load)
