import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Page } from './page.tsx'
import { TabList } from './tab-list.tsx'

/** A screen with several tabs; the address names the open one. */
export function TabbedPage(props: {
  title: string
  tabs: { name: string; label: string; Content: ComponentType }[]
}) {
  const { title, tabs } = props
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  const shown = tabs.find(({ name }) => name === tab) ?? tabs[0]!
  return (
    <Page title={title}>
      <Tabs
        value={shown.name}
        // The address keeps no other parameter, because one tab's filters and page do not apply to another.
        onChange={(next) => void navigate({ to: '.', search: { tab: next } as never })}
        keepMounted={false}
      >
        <TabList value={shown.name} tabs={tabs.map(({ name, label }) => ({ value: name, label }))} mb="md" />
        {tabs.map(({ name, Content }) => (
          <Tabs.Panel key={name} value={name}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}
