import { Tabs } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TabList } from './tab-list.tsx'

/** Tabs for related lists, each at its own address. `tabs` contains their labels. */
export function RouteTabs({ tabs, children }: { tabs: Record<string, string>; children: ReactNode }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <Tabs value={pathname} onChange={(to) => to !== null && void navigate({ to })}>
      <TabList
        value={pathname}
        tabs={Object.entries(tabs).map(([value, label]) => ({ value, label }))}
        mb="md"
      />
      {Object.keys(tabs).map((path) => (
        <Tabs.Panel key={path} value={path}>
          {path === pathname && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
