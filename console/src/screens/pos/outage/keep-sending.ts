import { isServiceAway, onReturn } from '../../../api/connection.ts'
import { onWaitingChange, sendWaiting } from './waiting-sales.ts'

const RETRY_MS = 10_000

/**
 * Sends a shop's waiting sales whenever the service is available: now, when it is back, and again while some are left.
 * @returns a function that ends this.
 */
export function keepSending(shopId: string, tooOld: string): () => void {
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
}
