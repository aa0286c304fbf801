import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** A dialog that is fetched by the time it is opened: closed at first, so that it knows where the focus goes back to. */
export function OpenedDialog({ opened, ...rest }: ModalProps) {
  const [isThere, setIsThere] = useState(false)
  useEffect(() => setIsThere(true), [])
  return <Modal {...rest} opened={opened && isThere} />
}
