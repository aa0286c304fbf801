import { setTimeout as pause } from 'node:timers/promises'

/** Lets a loop of this process sleep until there is work, or a time has passed. */
export type Wake = {
  wake(): void
  /**
   * Resolves after `ms`, when `signal` is aborted, or at the next `wake`; immediately if `wake` was called since the
   * last sleep.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Creates a wake for a single sleeper. */
export function createWake(): Wake {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      end?.()
    },
    async sleep(ms, signal) {
      if (!isWoken && !signal.aborted) {
        const woken = new AbortController()
        end = () => woken.abort()
        await pause(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {})
        end = undefined
      }
      isWoken = false
    },
  }
}
