import { EmptyState } from '../../components/page.tsx'
import { TabbedPage } from '../../components/tabbed-page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Audit } from '../audit/audit.tsx'
import { Health } from './health.tsx'
import { People } from './people.tsx'
import { Shops } from './shops.tsx'
import { operatorTexts } from './texts.ts'

/** The operator's pages about all shops. */
export function Operator() {
  const texts = useTexts(operatorTexts)
  const { user } = useSession()
  if (!user.isOperator) return <EmptyState title={texts.notForYou} hint={texts.notForYouHint} />
  return (
    <TabbedPage
      title={texts.title}
      tabs={[
        { name: 'shops', label: texts.tabs.shops, Content: Shops },
        { name: 'health', label: texts.tabs.health, Content: Health },
        { name: 'people', label: texts.tabs.people, Content: People },
        { name: 'audit', label: texts.tabs.audit, Content: Audit },
      ]}
    />
  )
}
