import { useCallback, useEffect, useReducer } from 'react'
import { changeHeld, currentSale, type HeldSales, noSales } from './held-sales.ts'
import { changeSale, type SaleChange } from './sale.ts'

const keyOf = (shopId: string) => `shopbell.sales.${shopId}`

/**
 * The open sales at this counter; they survive a reload, even one whose outcome is unknown. `change` changes the one in
 * front, also after another has come to the front.
 */
export function useSales(shopId: string) {
  const [held, changeAny] = useReducer(changeHeld, shopId, keptSales)
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
  // The page that was selling is gone.
  return { ...held, sales: held.sales.map((sale) => changeSale(sale, { type: 'settled' })) }
}
