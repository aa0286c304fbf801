import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { dataOf } from '../api/problem.ts'
import { formatNumber } from '../format.ts'
import { firstScreenOver } from '../later.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

const READ_EVERY_MS = 60_000
/** The states in which an order waits for the shop: to be confirmed, prepared or handed over. */
const TO_HANDLE = ['pending', 'confirmed', 'processing', 'ready_to_ship'] as const

/** What waits behind a screen of the menu: a short number, and the sentence for it. */
export type MenuCount = { shown: string; says: string }

/**
 * What waits behind the screens of the menu, by their addresses; nothing where nothing waits. It is read once the first screen is
 * over, then every minute while the window is visible and with every change of an order. The service has the numbers in counters.
 */
export function useMenuCounts(): Record<string, MenuCount | undefined> {
  const texts = useTexts(shellTexts)
  const { language } = useLanguage()
  const { shop } = useSession()
  const [isLater, setLater] = useState(false)
  useEffect(() => void firstScreenOver.then(() => setLater(true)), [])
  const { data: orders = 0 } = useQuery({
    queryKey: ['orders', 'to-handle'],
    enabled: isLater && shop !== undefined,
    staleTime: READ_EVERY_MS,
    refetchInterval: READ_EVERY_MS,
    queryFn: async () => {
      const { data } = await dataOf(api.GET('/api/external/v1/orders', { params: { query: { limit: 1 } } }))
      return TO_HANDLE.reduce((sum, status) => sum + (data.orderCountByStatus[status] ?? 0), 0)
    },
  })
  if (orders === 0) return {}
  const says = texts.ordersToHandle(formatNumber(orders, language))
  return { '/orders': { shown: orders > MOST_SHOWN ? `${MOST_SHOWN}+` : String(orders), says } }
}

const MOST_SHOWN = 99
