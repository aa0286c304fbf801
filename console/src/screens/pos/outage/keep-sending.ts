import { isServiceAway, onReturn } from '../../../api/connection.ts'
import { catalogue, type Language } from '../../../texts/catalogue.ts'
import { onWaitingChange, sendWaiting } from './waiting-sales.ts'

const RETRY_MS = 10_000

const sendingTexts = catalogue(
  {
    tooOld:
      'Đơn đã chờ quá một ngày và có thể đã được ghi. Hãy tìm trong danh sách đơn hàng trước khi gửi lại.',
  },
  {
    tooOld:
      'The sale waited for more than a day and may have been recorded. Check the order list before you send it again.',
  },
)

/**
 * Sends a shop's waiting sales whenever the service is available: now, when it is back, and again while some are left.
 * @returns a function that ends this.
 */
export function keepSending(shopId: string, language: Language): () => void {
  const { tooOld } = sendingTexts[language]
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
