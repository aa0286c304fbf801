import {
  IconBuildingStore,
  IconCashRegister,
  IconCategory,
  IconClipboardCheck,
  IconFileText,
  IconLayoutDashboard,
  IconMessage,
  IconNews,
  IconPackage,
  IconReceipt,
  IconReportMoney,
  IconScan,
  IconTool,
  IconTransfer,
  IconTruckDelivery,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import type { shellTexts } from './texts.ts'

type Text = keyof (typeof shellTexts)['vi']['items']
export type Item = {
  to: string
  text: Text
  icon: typeof IconTool
  /** Whether the screen is for owners only. */
  isOwners?: boolean
}
export type Group = { name: keyof (typeof shellTexts)['vi']['groups']; items: readonly Item[] }

export const HOME: Item = { to: '/', text: 'overview', icon: IconLayoutDashboard }

/** The menu of a person in a shop. */
export const GROUPS: readonly Group[] = [
  {
    name: 'selling',
    items: [
      { to: '/pos', text: 'pos', icon: IconScan },
      { to: '/orders', text: 'orders', icon: IconReceipt },
      { to: '/shifts', text: 'shifts', icon: IconCashRegister },
      { to: '/customers', text: 'customers', icon: IconUsers },
    ],
  },
  {
    name: 'goods',
    items: [
      { to: '/products', text: 'products', icon: IconPackage },
      { to: '/products/categories', text: 'categories', icon: IconCategory },
      { to: '/goods-received', text: 'goodsReceived', icon: IconTruckDelivery },
      { to: '/stock-counts', text: 'stockCounts', icon: IconClipboardCheck },
      { to: '/transfers', text: 'transfers', icon: IconTransfer },
      { to: '/profit', text: 'profit', icon: IconReportMoney, isOwners: true },
    ],
  },
  {
    name: 'messages',
    items: [
      { to: '/templates', text: 'templates', icon: IconFileText },
      { to: '/messages', text: 'messages', icon: IconMessage },
      { to: '/wallet', text: 'wallet', icon: IconWallet },
    ],
  },
  { name: 'content', items: [{ to: '/news', text: 'news', icon: IconNews }] },
  { name: 'settings', items: [{ to: '/settings', text: 'shopSettings', icon: IconBuildingStore }] },
]

export const OPERATOR: Item = { to: '/operator', text: 'operator', icon: IconTool }

/** The item whose address is the longest prefix of this one: `/products/categories`, not `/products`. */
export function itemOf(pathname: string, items: readonly Item[]): Item | undefined {
  return items
    .filter(({ to }) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .toSorted((a, b) => b.to.length - a.to.length)[0]
}
