import { type ComponentType, lazy, Suspense } from 'react'
import { Waiting } from '../../components/page.tsx'
import { TabbedPage } from '../../components/tabbed-page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Accounts } from './accounts.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { ShopSettings } from './shop-settings.tsx'
import { type SettingsTab, settingsTabs } from './tabs.ts'
import { settingsTexts } from './texts.ts'
import { Webhooks } from './webhooks.tsx'

// With the receipt and its QR code.
const PrintSettings = lazy(async () => ({ default: (await import('./print-settings.tsx')).PrintSettings }))
const Warehouses = lazy(async () => ({ default: (await import('./warehouses.tsx')).Warehouses }))
const ShopAudit = lazy(async () => ({ default: (await import('../audit/audit.tsx')).ShopAudit }))

const CONTENTS: Record<SettingsTab, ComponentType> = {
  shop: ShopSettings,
  print: () => <Late of={PrintSettings} />,
  warehouses: () => <Late of={Warehouses} />,
  keys: Keys,
  webhooks: Webhooks,
  accounts: Accounts,
  members: Members,
  audit: () => <Late of={ShopAudit} />,
}

export function Settings() {
  const texts = useTexts(settingsTexts)
  const { isOwner } = useSession()
  const tabs = settingsTabs(isOwner).map((name) => ({
    name,
    label: texts.tabs[name],
    Content: CONTENTS[name],
  }))
  return <TabbedPage title={texts.title} tabs={tabs} />
}

/** A tab that is fetched when it is first opened. */
function Late({ of: Content }: { of: ComponentType }) {
  return (
    <Suspense fallback={<Waiting />}>
      <Content />
    </Suspense>
  )
}
