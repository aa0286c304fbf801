import { useEffect } from 'react'
import { isServiceAway, onReturn } from '../../../api/connection.ts'
import { copyCatalogue } from './copy-catalogue.ts'

const EVERY_MS = 60_000

/** Keeps this browser's copy of the catalogue up to date while the counter is open, so that it can sell during an outage. */
export function useKeptCatalogue(shopId: string): void {
  useEffect(() => {
    let isRunning = false
    // Waiting sales are money, so the browser must not evict them.
    void navigator.storage?.persist?.()
    const copy = async () => {
      if (isRunning || isServiceAway()) return
      isRunning = true
      // Without a copy, or with an outdated one, the counter still sells as long as the service is available.
      await copyCatalogue(shopId).catch(() => undefined)
      isRunning = false
    }
    void copy()
    const timer = setInterval(() => void copy(), EVERY_MS)
    const stop = onReturn(() => void copy())
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [shopId])
}
