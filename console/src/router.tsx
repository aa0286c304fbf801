import { Button } from '@mantine/core'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { queryClient } from './api/query.ts'
import { meQuery } from './api/session.ts'
import { EmptyState, PageProblem, Waiting } from './components/page.tsx'
import { SessionProvider } from './shell/session.tsx'
import { Shell } from './shell/shell.tsx'
import { shellTexts } from './shell/texts.ts'
import { useTexts } from './texts/language.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage })

/** Loads a screen's component when it is first opened. */
const lazily = (load: () => Promise<Record<string, unknown>>, name: string) =>
  lazyRouteComponent(load as () => Promise<Record<string, never>>, name)

const entrance = <P extends string>(path: P, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({ getParentRoute: () => root, path, component: lazily(load, name) })

const outside = [
  entrance('/sign-in', () => import('./shell/sign-in/sign-in.tsx'), 'SignIn'),
  entrance('/reset-password', () => import('./shell/sign-in/reset-password.tsx'), 'ResetPassword'),
  entrance('/invitation', () => import('./shell/sign-in/invitation.tsx'), 'Invitation'),
]

/** All routes that need a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async () => {
    const me = await queryClient.ensureQueryData(meQuery)
    if (me === null) throw redirect({ to: '/sign-in' })
  },
  component: () => (
    <SessionProvider>
      <Shell />
    </SessionProvider>
  ),
})

const screen = <P extends string>(path: P, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({ getParentRoute: () => inside, path, component: lazily(load, name) })

const screens = [
  screen('/', () => import('./screens/overview/overview.tsx'), 'Overview'),
  screen('/templates', () => import('./screens/templates/templates.tsx'), 'Templates'),
  screen('/templates/new', () => import('./screens/templates/template.tsx'), 'NewTemplate'),
  screen('/templates/$id', () => import('./screens/templates/template.tsx'), 'Template'),
  screen('/messages', () => import('./screens/messages/history.tsx'), 'Messages'),
  screen('/messages/send', () => import('./screens/messages/send.tsx'), 'SendMessage'),
  screen('/messages/batches', () => import('./screens/messages/batches/batches.tsx'), 'Batches'),
  screen('/messages/batches/new', () => import('./screens/messages/batches/new-batch.tsx'), 'NewBatch'),
  screen('/messages/batches/$id', () => import('./screens/messages/batches/batch.tsx'), 'BatchPage'),
  screen('/messages/audiences', () => import('./screens/messages/audiences/audiences.tsx'), 'Audiences'),
  screen('/messages/results', () => import('./screens/messages/results/results.tsx'), 'Results'),
  screen('/messages/$id', () => import('./screens/messages/message.tsx'), 'Message'),
  screen('/products', () => import('./screens/products/products.tsx'), 'Products'),
  screen('/products/new', () => import('./screens/products/product/new-product.tsx'), 'NewProduct'),
  screen('/products/categories', () => import('./screens/products/categories/categories.tsx'), 'Categories'),
  screen('/products/import', () => import('./screens/products/import/import.tsx'), 'ImportProducts'),
  screen('/products/$productId', () => import('./screens/products/product/product.tsx'), 'ProductEditor'),
  screen('/goods-received', () => import('./screens/stock/notes.tsx'), 'GoodsReceived'),
  screen('/goods-received/new', () => import('./screens/stock/new-note.tsx'), 'NewGoodsReceived'),
  screen('/goods-received/$noteId', () => import('./screens/stock/note-page.tsx'), 'NotePage'),
  screen('/stock-counts', () => import('./screens/stock/notes.tsx'), 'StockCounts'),
  screen('/stock-counts/new', () => import('./screens/stock/new-note.tsx'), 'NewStockCount'),
  screen('/stock-counts/$noteId', () => import('./screens/stock/note-page.tsx'), 'NotePage'),
  screen('/transfers', () => import('./screens/stock/notes.tsx'), 'Transfers'),
  screen('/transfers/new', () => import('./screens/stock/new-note.tsx'), 'NewTransfer'),
  screen('/transfers/$noteId', () => import('./screens/stock/note-page.tsx'), 'NotePage'),
  screen('/profit', () => import('./screens/profit/profit.tsx'), 'Profit'),
  screen('/orders', () => import('./screens/orders/orders.tsx'), 'Orders'),
  screen('/orders/$orderId', () => import('./screens/orders/order.tsx'), 'OrderDetail'),
  screen('/pos', () => import('./screens/pos/pos.tsx'), 'Pos'),
  screen('/shifts', () => import('./screens/shifts/shifts.tsx'), 'Shifts'),
  screen('/shifts/$shiftId', () => import('./screens/shifts/shift.tsx'), 'ShiftPage'),
  screen('/news', () => import('./screens/news/news.tsx'), 'News'),
  screen('/news/new', () => import('./screens/news/article.tsx'), 'NewArticle'),
  screen('/news/$newsId', () => import('./screens/news/article.tsx'), 'ArticleEditor'),
  screen('/customers', () => import('./screens/customers/customers.tsx'), 'Customers'),
  screen(
    '/customers/import',
    () => import('./screens/customers/import/import-customers.tsx'),
    'ImportCustomers',
  ),
  screen('/customers/$customerId', () => import('./screens/customers/customer.tsx'), 'CustomerPage'),
  screen('/wallet', () => import('./screens/wallet/wallet.tsx'), 'Wallet'),
  screen('/help', () => import('./screens/help/help.tsx'), 'Help'),
  screen('/settings', () => import('./screens/settings/settings.tsx'), 'Settings'),
  screen('/oauth/platform/callback', () => import('./screens/connect/connected.tsx'), 'Connected'),
  screen('/operator', () => import('./screens/operator/operator.tsx'), 'Operator'),
  screen('/operator/shops/$shopId', () => import('./screens/operator/shop/shop.tsx'), 'OperatorShop'),
]

export const router = createRouter({
  routeTree: root.addChildren([...outside, inside.addChildren(screens)]),
  defaultPreload: 'intent',
  // A dialog or an input of one record must not stay open over another.
  defaultRemountDeps: ({ params }) => params,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ({ error, reset }) => (
    <PageProblem
      error={error}
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
    />
  ),
  scrollRestoration: true,
})

function NoSuchPage() {
  const texts = useTexts(shellTexts)
  return (
    <EmptyState
      title={texts.notFoundTitle}
      hint={texts.notFoundHint}
      action={
        <Button component={Link} to="/">
          {texts.toOverview}
        </Button>
      }
    />
  )
}
