import { useCallback, useSyncExternalStore } from 'react'
import { changeHeldSales, currentSale, type HeldChange } from './held-sales.ts'
import { onOpenSalesChange, readOpenSales, storeOpenSales } from './open-sales.ts'
import type { Sale, SaleChange } from './sale.ts'

/**
 * The open sales at this counter. They survive a reload, even one whose outcome is unknown. `change` always changes the
 * sale for which it was returned, even after another one is shown or the counter is left, and returns the changed sale,
 * or undefined if it is no longer open.
 */
export function useSales(shopId: string) {
  const held = useSyncExternalStore(onOpenSalesChange, () => readOpenSales(shopId))
  const sale = currentSale(held)
  const { id } = sale
  const changeAny = useCallback(
    (one: HeldChange) => storeOpenSales(shopId, changeHeldSales(readOpenSales(shopId), one)),
    [shopId],
  )
  const change = useCallback(
    (one: SaleChange): Sale | undefined => {
      changeAny({ type: 'sale', id, change: one })
      return readOpenSales(shopId).sales.find((each) => each.id === id)
    },
    [changeAny, shopId, id],
  )
  return { held, sale, change, changeAny }
}
