import { Tabs } from '@mantine/core'
import { useListState } from '../../components/list-state.ts'
import { EmptyState, Page } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Audit } from './audit.tsx'
import { Health } from './health.tsx'
import { People } from './people.tsx'
import { Shops } from './shops.tsx'
import { operatorTexts } from './texts.ts'

const TABS = { shops: Shops, health: Health, people: People, audit: Audit }
const NAMES = Object.keys(TABS) as (keyof typeof TABS)[]

/** What concerns all shops. */
export function Operator() {
  const texts = useTexts(operatorTexts)
  const { user } = useSession()
  const [{ tab }, setState] = useListState<{ tab: string }>({ tab: 'shops' })
  if (!user.isOperator) return <EmptyState title={texts.notForYou} hint={texts.notForYouHint} />
  return (
    <Page title={texts.title}>
      <Tabs value={tab} onChange={(next) => next !== null && setState({ tab: next })} keepMounted={false}>
        <Tabs.List mb="md">
          {NAMES.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {texts.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {NAMES.map((name) => {
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
