import { TabbedPage } from '../../components/tabbed-page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Accounts } from './accounts.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { PrintSettings } from './print-settings.tsx'
import { ShopSettings } from './shop-settings.tsx'
import { settingsTexts } from './texts.ts'
import { Webhooks } from './webhooks.tsx'

export function Settings() {
  const texts = useTexts(settingsTexts)
  const { isOwner } = useSession()
  const tabs = [
    { name: 'shop', label: texts.tabs.shop, Content: ShopSettings, isForAll: false },
    { name: 'print', label: texts.tabs.print, Content: PrintSettings, isForAll: false },
    { name: 'keys', label: texts.tabs.keys, Content: Keys, isForAll: false },
    { name: 'webhooks', label: texts.tabs.webhooks, Content: Webhooks, isForAll: true },
    { name: 'accounts', label: texts.tabs.accounts, Content: Accounts, isForAll: true },
    { name: 'members', label: texts.tabs.members, Content: Members, isForAll: false },
  ]
  return <TabbedPage title={texts.title} tabs={tabs.filter(({ isForAll }) => isOwner || isForAll)} />
}
