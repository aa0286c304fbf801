import { SimpleGrid, Stack } from '@mantine/core'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, useDeferredValue } from 'react'
import { Card, EmptyState, Loaded, Page } from '../../../components/page.tsx'
import { WhenSeen } from '../../../components/when-seen.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { ShopForm } from '../../settings/shop-form.tsx'
import { operatorTexts } from '../texts.ts'
import { accountsQuery, peopleQuery, senderQuery, shopQuery, walletQuery } from './queries.ts'
import { ShopAccounts } from './shop-accounts.tsx'
import { ShopDeletion } from './shop-deletion.tsx'
import { ShopPeople } from './shop-people.tsx'
import { ShopSms } from './shop-sms.tsx'
import { ShopSuspension } from './shop-suspension.tsx'
import { ShopVisit } from './shop-visit.tsx'
import { ShopWallet } from './shop-wallet.tsx'

const ShopResults = lazy(async () => ({ default: (await import('./shop-results.tsx')).ShopResults }))

/** One shop as the operator sees it: settings, wallet, official accounts, members. */
export function OperatorShop() {
  const texts = useTexts(operatorTexts)
  const { user } = useSession()
  const { shopId } = useParams({ strict: false }) as { shopId: string }
  if (!user.isOperator) return <EmptyState title={texts.notForYou} hint={texts.notForYouHint} />
  return <ShopPage shopId={shopId} />
}

function ShopPage({ shopId }: { shopId: string }) {
  const texts = useTexts(operatorTexts)
  const shop = useQuery(shopQuery(shopId))
  // What the cards show is requested together with the shop.
  usePrefetchQuery(walletQuery(shopId))
  usePrefetchQuery(accountsQuery(shopId))
  usePrefetchQuery(senderQuery(shopId))
  usePrefetchQuery(peopleQuery(shopId))
  // The second column is drawn after the first is on the screen.
  const isWhole = useDeferredValue(shop.data !== undefined, false)
  return (
    <Page
      title={shop.data?.data.shop.name ?? texts.title}
      subtitle={shopId}
      actions={<ShopVisit shopId={shopId} />}
    >
      <Loaded query={shop}>
        {({ data }) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Stack>
                <ShopWallet shopId={shopId} shopName={data.shop.name} />
                <Card title={texts.shops.settings}>
                  <ShopForm key={data.shop._id} shop={data.shop} isOperator />
                </Card>
              </Stack>
              {isWhole && (
                <Stack>
                  <ShopAccounts shopId={shopId} />
                  <ShopSms shopId={shopId} />
                  <ShopPeople shopId={shopId} />
                  {data.shop.deletion === null && <ShopSuspension shop={data.shop} />}
                  <ShopDeletion shop={data.shop} />
                </Stack>
              )}
            </SimpleGrid>
            <WhenSeen minHeight={300}>
              <ShopResults shopId={shopId} />
            </WhenSeen>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
