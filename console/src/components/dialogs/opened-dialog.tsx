import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** A dialog that was loaded when it was opened. It is rendered closed first, so that it knows where to return the focus. */
export function OpenedDialog({ opened, ...rest }: ModalProps) {
  const [isThere, setIsThere] = useState(false)
  useEffect(() => setIsThere(true), [])
  return <Modal {...rest} opened={opened && isThere} />
}
