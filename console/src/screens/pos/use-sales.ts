import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { changeHeldSales, currentSale, type HeldChange, noSales } from './held-sales.ts'
import { areTaken, copySales, takeLeftSales } from './left-sales.ts'
import { onOpenSalesChange, readOpenSales, storeOpenSales } from './open-sales.ts'
import type { Sale, SaleChange } from './sale.ts'

/**
 * The person's open sales at this counter, with those of tabs that are gone, whose number goes to `onAdopted`. They
 * survive a reload, even one whose outcome is unknown. `change` always changes the sale for which it was returned, even
 * after another one is shown or the counter is left, and returns the changed sale, or undefined if it is no longer open.
 */
export function useSales(shopId: string, userId: string, onAdopted: (count: number) => void) {
  const held = useSyncExternalStore(onOpenSalesChange, () => readOpenSales(shopId))
  const sale = currentSale(held)
  const { id } = sale
  const changeAny = useCallback(
    (one: HeldChange) => {
      storeOpenSales(shopId, changeHeldSales(readOpenSales(shopId), one))
      copySales(userId, shopId, readOpenSales(shopId))
    },
    [shopId, userId],
  )
  useEffect(() => {
    if (areTaken(shopId)) storeOpenSales(shopId, noSales())
    void takeLeftSales(userId, shopId).then((sales) => {
      if (sales.length === 0) return
      changeAny({ type: 'adopt', sales })
      onAdopted(sales.length)
    })
  }, [changeAny, onAdopted, shopId, userId])
  const change = useCallback(
    (one: SaleChange): Sale | undefined => {
      changeAny({ type: 'sale', id, change: one })
      return readOpenSales(shopId).sales.find((each) => each.id === id)
    },
    [changeAny, shopId, id],
  )
  return { held, sale, change, changeAny }
}
