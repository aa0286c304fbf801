import { useEffect, useReducer } from 'react'
import { changeSale, newSale, type Sale } from './sale.ts'

const keyOf = (shopId: string) => `shopbell.sale.${shopId}`

/** The sale under way at this counter; a reload finds it again, also one whose answer did not come. */
export function useSale(shopId: string) {
  const [sale, change] = useReducer(changeSale, shopId, keptSale)
  useEffect(() => {
    sessionStorage.setItem(keyOf(shopId), JSON.stringify(sale))
  }, [sale, shopId])
  return [sale, change] as const
}

function keptSale(shopId: string): Sale {
  const kept = sessionStorage.getItem(keyOf(shopId))
  return kept === null ? newSale() : { ...newSale(), ...(JSON.parse(kept) as Sale) }
}
