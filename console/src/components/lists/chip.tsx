import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A value offered, such as a likely sum: one touch takes it. */
export function Chip(props: ButtonProps & { onClick: () => void; children: ReactNode }) {
  return <Button variant="default" radius="xl" size="compact-md" {...props} />
}
