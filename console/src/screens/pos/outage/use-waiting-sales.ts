import { useEffect, useState } from 'react'
import { isServiceAway, onReturn } from '../../../api/connection.ts'
import { useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'
import type { WaitingSale } from './kept-store.ts'
import { listWaiting, onWaitingChange, sendWaiting } from './waiting-sales.ts'

const RETRY_MS = 10_000

/** A shop's sales that wait in this browser, oldest first; kept up with while they change. */
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

/** Sends them whenever the service is there: now, when it is back, and again while some are left. */
export function useSendWaiting(shopId: string | undefined): void {
  const { tooOld } = useTexts(posTexts)
  useEffect(() => {
    if (shopId === undefined) return
    const send = () => {
      if (!isServiceAway()) sendWaiting(shopId, tooOld).catch(() => undefined)
    }
    send()
    const timer = setInterval(send, RETRY_MS)
    const stops = [onReturn(send), onWaitingChange(send)]
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }, [shopId, tooOld])
}
