import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { formatPhone, formatTime, formatVnd } from '../../format.ts'
import { recipientOf } from '../../screens/messages/message-parts.tsx'
import { messageQuery } from '../../screens/messages/queries.ts'
import { messageTexts } from '../../screens/messages/texts.ts'
import { netOf } from '../../screens/orders/order-price.ts'
import { settingsTabs } from '../../screens/settings/tabs.ts'
import { settingsTexts } from '../../screens/settings/texts.ts'
import { templateTexts } from '../../screens/templates/texts.ts'
import { fold } from '../../texts/fold.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useGroups } from '../menu.tsx'
import { useSession } from '../session.tsx'
import { shellTexts } from '../texts.ts'
import type { Entry } from './entry.ts'
import { useAccountEntries, useKeysEntry, usePageActs } from './page-acts.ts'
import { paletteTexts } from './texts.ts'

const ACTIONS = {
  addProduct: '/products/new',
  importProducts: '/products/import',
  receive: '/goods-received/new',
  count: '/stock-counts/new',
  transfer: '/transfers/new',
  sendMessage: '/messages/send',
  sendBatch: '/messages/batches/new',
  addTemplate: '/templates/new',
  addArticle: '/news/new',
} as const

/** The screens and actions that the person may use and whose names contain all these words. */
export function usePlaces(text: string): Entry[] {
  const { items, help } = useTexts(shellTexts)
  const { actions } = useTexts(paletteTexts)
  const { tabs } = useTexts(settingsTexts)
  const { canWrite, isOwner, shop } = useSession()
  const { home, groups } = useGroups()
  const screens: Entry[] = [
    ...[...(home === undefined ? [] : [home]), ...groups.flatMap((group) => group.items)].map(
      ({ to, text: name }): Entry => ({ kind: 'screens', to, name: items[name] }),
    ),
    { kind: 'screens', to: '/help', name: help },
    useKeysEntry(),
  ]
  const settings = settingsTabs(isOwner).map(
    (tab): Entry => ({
      kind: 'settings',
      to: `/settings?tab=${tab}`,
      name: tabs[tab],
      hint: items.shopSettings,
    }),
  )
  const todo = Object.entries(ACTIONS).map(
    ([name, to]): Entry => ({ kind: 'actions', to, name: actions[name as keyof typeof ACTIONS] }),
  )
  const others = [...screens, ...(canWrite ? todo : [])]
  // A button may only lead to a screen that is in the list already.
  const onPage = usePageActs().filter((act) => !others.some(({ name }) => name === act.name))
  const account = useAccountEntries()
  const words = fold(text).split(/\s+/)
  return [...others, ...onPage, ...(shop === undefined ? [] : settings), ...account].filter(
    ({ name, hint = '' }) => words.every((word) => fold(`${name} ${hint}`).includes(word)),
  )
}

const FOUND = 5
const LEAST_LETTERS = 2
/** A phone number that may be complete. The service refuses to look up the messages of an incomplete one. */
const PHONE = /^(\+|0|84)[\d\s.()-]{8,}\d$/
const MESSAGE_ID = /^[\da-f]{24}$/i

/** The first records of each kind that the service finds; none for a single letter. Messages are found by phone number or id. */
export function useRecords(text: string): { entries: Entry[]; isSearching: boolean } {
  const { language } = useLanguage()
  const { statuses: messageStatuses } = useTexts(messageTexts)
  const { statuses: templateStatuses } = useTexts(templateTexts)
  const { shop } = useSession()
  const search = text.trim()
  const isAsked = shop !== undefined && search.length >= LEAST_LETTERS
  const query = { search, page: 1, limit: FOUND, total: 'none' } as const
  const orders = useQuery({
    queryKey: ['orders', 'palette', search],
    enabled: isAsked,
    queryFn: () => dataOf(api.GET('/api/external/v1/orders', { params: { query } })),
  })
  const products = useQuery({
    queryKey: ['products', 'palette', search],
    enabled: isAsked,
    queryFn: () =>
      dataOf(api.GET('/api/external/v1/products', { params: { query: { ...query, select: 'skus' } } })),
  })
  const customers = useQuery({
    queryKey: ['customers', 'palette', search],
    enabled: isAsked,
    queryFn: () => dataOf(api.GET('/api/external/v1/customers', { params: { query } })),
  })
  const messages = useQuery({
    queryKey: ['messages', 'palette', search],
    enabled: isAsked && PHONE.test(search),
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-message/history', {
          params: { query: { phone: search, page: 1, offset: FOUND } },
        }),
      ),
  })
  const message = useQuery({ ...messageQuery(search), enabled: isAsked && MESSAGE_ID.test(search) })
  const templates = useQuery({
    queryKey: ['templates', 'palette', search],
    enabled: isAsked,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-template', { params: { query: { search, page: 1, size: FOUND } } }),
      ),
  })
  const news = useQuery({
    queryKey: ['news', 'palette', search],
    enabled: isAsked,
    queryFn: () =>
      dataOf(api.GET('/api/external/news', { params: { query: { search, page: 1, limit: FOUND } } })),
  })
  const entries: Entry[] = [
    ...(orders.data?.data.orders ?? []).map((order): Entry => {
      const { _id, code, userId: user } = order
      const who = user === null ? '' : `${user.fullName || formatPhone(user.phone)} · `
      const hint = `${who}${formatVnd(netOf(order), language)}`
      return { kind: 'orders', to: `/orders/${_id}`, name: code, hint }
    }),
    ...(products.data?.data.products ?? []).map(
      ({ _id, name, price, itemSku, barcode }): Entry => ({
        kind: 'products',
        to: `/products/${_id}`,
        name,
        hint: [itemSku || barcode, formatVnd(price, language)].filter(Boolean).join(' · '),
      }),
    ),
    ...(customers.data?.data.customers ?? []).map(
      ({ _id, fullName, phone }): Entry => ({
        kind: 'customers',
        to: `/customers/${_id}`,
        name: fullName,
        hint: formatPhone(phone),
      }),
    ),
    ...[...(messages.data?.histories ?? []), ...(message.data === undefined ? [] : [message.data.data])].map(
      (one): Entry => ({
        kind: 'messages',
        to: `/messages/${one._id}`,
        name: recipientOf(one),
        hint: `${messageStatuses[one.status]} · ${formatTime(one.createdAt, language)}`,
      }),
    ),
    ...(templates.data?.templates ?? []).map(
      ({ _id, name, status }): Entry => ({
        kind: 'templates',
        to: `/templates/${_id}`,
        name,
        hint: templateStatuses[status],
      }),
    ),
    ...(news.data?.data.news ?? []).map(
      ({ _id, title }): Entry => ({ kind: 'news', to: `/news/${_id}`, name: title }),
    ),
  ]
  const searches = [orders, products, customers, messages, message, templates, news]
  return { entries, isSearching: searches.some(({ isFetching }) => isFetching) }
}
