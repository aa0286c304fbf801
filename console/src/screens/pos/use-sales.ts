import { useCallback, useEffect, useReducer } from 'react'
import { changeHeldSales, currentSale, type HeldSales, noSales } from './held-sales.ts'
import { changeSale, type SaleChange } from './sale.ts'

const keyOf = (shopId: string) => `shopbell.sales.${shopId}`

/**
 * The open sales at this counter. They survive a reload, even one whose outcome is unknown. `change` always changes the
 * sale for which it was returned, even after another one is shown.
 */
export function useSales(shopId: string) {
  const [held, changeAny] = useReducer(changeHeldSales, shopId, keptSales)
  useEffect(() => {
    sessionStorage.setItem(keyOf(shopId), JSON.stringify(held))
  }, [held, shopId])
  const sale = currentSale(held)
  const { id } = sale
  const change = useCallback((one: SaleChange) => changeAny({ type: 'sale', id, change: one }), [id])
  return { held, sale, change, changeAny }
}

function keptSales(shopId: string): HeldSales {
  const kept = sessionStorage.getItem(keyOf(shopId))
  if (kept === null) return noSales()
  const held = JSON.parse(kept) as HeldSales
  // The page that was selling no longer exists.
  return { ...held, sales: held.sales.map((sale) => changeSale(sale, { type: 'settled' })) }
}
