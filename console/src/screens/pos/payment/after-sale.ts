import { useEffect, useState } from 'react'
import type { Receipt } from '../../orders/receipt/receipt.tsx'
import type { LastSale } from './last-sale.tsx'

const AFTER_MS = 2_000

type Parts = { LastSale: typeof LastSale; Receipt: typeof Receipt }

/**
 * What the counter shows and prints after a sale. It is fetched once the counter is usable, or at the first sale if that comes
 * earlier; both parts together, since the box prints the receipt. Undefined until then, or if it could not be fetched: the next
 * sale tries again.
 */
export function useAfterSale(sales: number): Parts | undefined {
  const [parts, setParts] = useState<Parts>()
  useEffect(() => {
    if (parts !== undefined) return
    const timer = setTimeout(
      () => void fetchParts().then(setParts, () => undefined),
      sales > 0 ? 0 : AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [parts, sales])
  return parts
}

async function fetchParts(): Promise<Parts> {
  const [{ LastSale }, { Receipt }] = await Promise.all([
    import('./last-sale.tsx'),
    import('../../orders/receipt/receipt.tsx'),
  ])
  return { LastSale, Receipt }
}
