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
  const webhooks = { name: 'webhooks', label: texts.tabs.webhooks, Content: Webhooks }
  const accounts = { name: 'accounts', label: texts.tabs.accounts, Content: Accounts }
  const ofOwners = [
    { name: 'shop', label: texts.tabs.shop, Content: ShopSettings },
    { name: 'print', label: texts.tabs.print, Content: PrintSettings },
    { name: 'keys', label: texts.tabs.keys, Content: Keys },
    webhooks,
    accounts,
    { name: 'members', label: texts.tabs.members, Content: Members },
  ]
  return <TabbedPage title={texts.title} tabs={isOwner ? ofOwners : [accounts, webhooks]} />
}
