import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/language.tsx'
import type { Status } from './order-values.tsx'
import { orderTexts } from './texts.ts'

/** The menu of an order's other statuses, opened by `target` and open initially. */
export function StatusMenu(props: {
  statuses: Status[]
  onChoose: (status: Status) => void
  target: ReactNode
}) {
  const texts = useTexts(orderTexts)
  return (
    <Menu position="bottom-end" defaultOpened>
      <Menu.Target>{props.target}</Menu.Target>
      <Menu.Dropdown>
        {props.statuses.map((status) => (
          <Menu.Item key={status} onClick={() => props.onChoose(status)}>
            {texts.statuses[status]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
