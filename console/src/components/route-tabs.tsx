import { Tabs } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Lists that belong together, each at its own address: `tabs` says what stands on the tab of each. */
export function RouteTabs({ tabs, children }: { tabs: Record<string, string>; children: ReactNode }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <Tabs value={pathname} onChange={(to) => to !== null && void navigate({ to })}>
      <Tabs.List mb="md">
        {Object.entries(tabs).map(([path, label]) => (
          <Tabs.Tab key={path} value={path}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.keys(tabs).map((path) => (
        <Tabs.Panel key={path} value={path}>
          {path === pathname && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
