import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A suggested value, such as a likely amount. One press takes it. */
export function Chip(props: ButtonProps & { onClick: () => void; children: ReactNode }) {
  return <Button variant="default" radius="xl" size="compact-md" {...props} />
}
