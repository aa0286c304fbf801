import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { formatPhone, formatVnd } from '../../format.ts'
import { fold } from '../../texts/fold.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useGroups } from '../menu.tsx'
import { useSession } from '../session.tsx'
import { shellTexts } from '../texts.ts'
import { paletteTexts } from './texts.ts'

export type Kind = keyof (typeof paletteTexts)['vi']['groups']
/** A destination. `hint` distinguishes it from others with the same name. */
export type Entry = { kind: Kind; to: string; name: string; hint?: string }

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
  const { canWrite } = useSession()
  const { home, groups } = useGroups()
  const screens: Entry[] = [
    ...[...(home === undefined ? [] : [home]), ...groups.flatMap((group) => group.items)].map(
      ({ to, text: name }): Entry => ({ kind: 'screens', to, name: items[name] }),
    ),
    { kind: 'screens', to: '/help', name: help },
  ]
  const todo = Object.entries(ACTIONS).map(
    ([name, to]): Entry => ({ kind: 'actions', to, name: actions[name as keyof typeof ACTIONS] }),
  )
  const words = fold(text).split(/\s+/)
  return [...screens, ...(canWrite ? todo : [])].filter(({ name }) =>
    words.every((word) => fold(name).includes(word)),
  )
}

const FOUND = 5
const LEAST_LETTERS = 2

/** The first records of each kind that the service finds; none for a single letter. */
export function useRecords(text: string): { entries: Entry[]; isSearching: boolean } {
  const { language } = useLanguage()
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
  const entries: Entry[] = [
    ...(orders.data?.data.orders ?? []).map(({ _id, code, userId: user, price }): Entry => {
      const who = user === null ? '' : `${user.fullName || formatPhone(user.phone)} · `
      return { kind: 'orders', to: `/orders/${_id}`, name: code, hint: `${who}${formatVnd(price, language)}` }
    }),
    ...(products.data?.data.products ?? []).map(
      ({ _id, name, price }): Entry => ({
        kind: 'products',
        to: `/products/${_id}`,
        name,
        hint: formatVnd(price, language),
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
  ]
  return { entries, isSearching: [orders, products, customers].some(({ isFetching }) => isFetching) }
}
