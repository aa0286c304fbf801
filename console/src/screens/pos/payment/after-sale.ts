import { useEffect, useState } from 'react'
import { useIsAway } from '../../../api/connection.ts'
import type { Receipt } from '../../orders/receipt/receipt.tsx'
import type { RefusedSales } from '../outage/refused-sales.tsx'
import type { LastSale } from './last-sale.tsx'
import type { OversellQuestion } from './oversell-question.tsx'
import type { UnknownSale } from './unknown-sale.tsx'
import type { WarehouseChoice } from './warehouse-choice.tsx'

/** After the counter is shown, and long before a sale could be made. */
const AFTER_MS = 300

type Parts = {
  LastSale: typeof LastSale
  Receipt: typeof Receipt
  OversellQuestion: typeof OversellQuestion
  WarehouseChoice: typeof WarehouseChoice
  RefusedSales: typeof RefusedSales
  UnknownSale: typeof UnknownSale
}

/**
 * What the counter may ask before a sale, and shows and prints after it, and where its goods come from. It is fetched once the counter is shown, so that an outage
 * later finds it there; all parts together, since the box prints the receipt. Undefined until then. What could not be fetched is
 * fetched when the service is back, or with the next of the `sales`.
 */
export function useAfterSale(sales: number): Parts | undefined {
  const [parts, setParts] = useState<Parts>()
  const isAway = useIsAway()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each sale, and the service's return, is another attempt.
  useEffect(() => {
    if (parts !== undefined) return
    const timer = setTimeout(() => void fetchParts().then(setParts, () => undefined), AFTER_MS)
    return () => clearTimeout(timer)
  }, [parts, sales, isAway])
  return parts
}

async function fetchParts(): Promise<Parts> {
  const [lastSale, receipt, question, choice, refused, unknown] = await Promise.all([
    import('./last-sale.tsx'),
    import('../../orders/receipt/receipt.tsx'),
    import('./oversell-question.tsx'),
    import('./warehouse-choice.tsx'),
    import('../outage/refused-sales.tsx'),
    import('./unknown-sale.tsx'),
  ])
  return { ...lastSale, ...receipt, ...question, ...choice, ...refused, ...unknown }
}
