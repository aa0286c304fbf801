import { useEffect, useState } from 'react'
import type { WaitingSale } from './kept-store.ts'
import { listWaiting, onWaitingChange } from './waiting-sales.ts'

/** A shop's waiting sales in this browser, oldest first, updated when they change. */
export function useWaitingSales(shopId: string): WaitingSale[] {
  const [sales, setSales] = useState<WaitingSale[]>([])
  useEffect(() => {
    let isOver = false
    const read = () =>
      void listWaiting(shopId).then(
        (found) => isOver || setSales(found),
        () => undefined,
      )
    read()
    const stop = onWaitingChange(read)
    return () => {
      isOver = true
      stop()
    }
  }, [shopId])
  return sales
}
