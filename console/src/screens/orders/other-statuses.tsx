import { ActionIcon } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import type { Status } from './order-values.tsx'
import { orderTexts } from './texts.ts'

const StatusMenu = lazy(async () => ({ default: (await import('./status-menu.tsx')).StatusMenu }))

/** The other possible statuses of an order: a button whose menu is loaded when it is first pressed. */
export function OtherStatuses(props: { statuses: Status[]; onChoose: (status: Status) => void }) {
  const texts = useTexts(orderTexts)
  const [isAsked, setIsAsked] = useState(false)
  const button = (
    <ActionIcon
      size={36}
      aria-label={texts.otherStatus}
      aria-haspopup="menu"
      style={{ borderStartStartRadius: 0, borderEndStartRadius: 0 }}
      onClick={() => setIsAsked(true)}
    >
      <IconChevronDown size={16} />
    </ActionIcon>
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <StatusMenu {...props} target={button} />
    </Suspense>
  )
}
