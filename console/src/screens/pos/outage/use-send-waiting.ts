import { useEffect } from 'react'
import { onReturn } from '../../../api/connection.ts'
import { firstScreenOver } from '../../../later.ts'
import { useLanguage } from '../../../texts/language.tsx'

/** Sends a shop's waiting sales whenever the service is available. The code for this is loaded after the first screen. */
export function useSendWaiting(shopId: string | undefined): void {
  const { language } = useLanguage()
  useEffect(() => {
    if (shopId === undefined) return
    let isOver = false
    let stop: (() => void) | undefined
    async function begin(id: string) {
      await firstScreenOver
      const { keepSending } = await import('./keep-sending.ts')
      if (!isOver) stop ??= keepSending(id, language)
    }
    const tryToBegin = () => void begin(shopId).catch(() => undefined)
    tryToBegin()
    const stopTrying = onReturn(() => stop === undefined && tryToBegin())
    return () => {
      isOver = true
      stopTrying()
      stop?.()
    }
  }, [shopId, language])
}
