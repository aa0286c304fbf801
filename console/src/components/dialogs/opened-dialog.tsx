import { Modal, type ModalProps } from '@mantine/core'
import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The time between the presses of a double click, of which the second may be beside a dialog that just opened or became smaller. */
const DOUBLE_CLICK_MS = 400

/**
 * A dialog that was loaded when it was opened. It is rendered closed first, so that it knows where to return the focus. The second
 * press of a double click does not close it.
 */
export function OpenedDialog({ opened, ...rest }: ModalProps) {
  const [isThere, setIsThere] = useState(false)
  useEffect(() => setIsThere(true), [])
  const isShown = opened && isThere
  /** When it opened or was last pressed inside. */
  const pressedAtMs = useRef(0)
  useLayoutEffect(() => {
    if (isShown) pressedAtMs.current = performance.now()
  }, [isShown])
  function guard(event: MouseEvent) {
    const isBeside = (event.target as Element).matches('.mantine-Modal-overlay')
    if (!isBeside) pressedAtMs.current = event.timeStamp
    else if (event.timeStamp - pressedAtMs.current < DOUBLE_CLICK_MS) event.stopPropagation()
  }
  return <Modal {...rest} opened={isShown} onClickCapture={guard} />
}
