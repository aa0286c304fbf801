import { useSyncExternalStore } from 'react'

/** The requests that wait for a new sign-in. The person is asked to sign in only while there are some. */
let waiting: (() => void)[] = []
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Asks the person to sign in over the page. Resolves when there is a session again. */
export function sessionAgain(): Promise<void> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
    tell()
  })
}

/** Continues the requests that wait for a sign-in. */
export function resume(): void {
  const ready = waiting
  waiting = []
  for (const each of ready) each()
  tell()
}

/**
 * Whether the session is definitely over. A 401 alone does not prove it: some requests return it to people without the
 * right.
 */
export async function isExpired(): Promise<boolean> {
  const response = await fetch('/api/console/v1/me').catch(() => undefined)
  return response?.status === 401
}

export function useIsExpired(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )
}
