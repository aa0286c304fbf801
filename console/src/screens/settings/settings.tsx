import { Tabs } from '@mantine/core'
import { useListState } from '../../components/list-state.ts'
import { Page } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Accounts } from './accounts.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { ShopSettings } from './shop-settings.tsx'
import { settingsTexts } from './texts.ts'
import { Webhooks } from './webhooks.tsx'

const TABS = { shop: ShopSettings, keys: Keys, webhooks: Webhooks, accounts: Accounts, members: Members }
type Tab = keyof typeof TABS
const FOR_ALL: Tab[] = ['webhooks', 'accounts']

export function Settings() {
  const texts = useTexts(settingsTexts)
  const { isOwner } = useSession()
  const shown = (Object.keys(TABS) as Tab[]).filter((tab) => isOwner || FOR_ALL.includes(tab))
  const [{ tab }, setState] = useListState<{ tab: string }>({ tab: shown[0]! })
  return (
    <Page title={texts.title}>
      <Tabs value={tab} onChange={(next) => next !== null && setState({ tab: next })} keepMounted={false}>
        <Tabs.List mb="md">
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {texts.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map((name) => {
          const Content = TABS[name]
          return (
            <Tabs.Panel key={name} value={name}>
              <Content />
            </Tabs.Panel>
          )
        })}
      </Tabs>
    </Page>
  )
}
