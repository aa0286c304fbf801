import { Tabs, type TabsListProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

/** Tabs in one line, scrolled so that the open one, `value`, is visible. */
export function TabList(
  props: Omit<TabsListProps, 'children'> & {
    value: string
    tabs: { value: string; label: ReactNode; controls?: string }[]
  },
) {
  const { value, tabs, ...rest } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const open = list.current?.querySelector(`[data-tab="${CSS.escape(value)}"]`)
    open?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [value])
  return (
    <Tabs.List ref={list} {...rest}>
      {tabs.map(({ value: name, label, controls }) => (
        <Tabs.Tab
          key={name}
          value={name}
          data-tab={name}
          {...(controls === undefined ? {} : { 'aria-controls': controls })}
        >
          {label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}
