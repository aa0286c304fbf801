import { useSyncExternalStore } from 'react'

/** The requests that wait for somebody to sign in again; nobody is asked while there is none. */
let waiting: (() => void)[] = []
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Asks for a sign-in over the page; resolves when there is a session again. */
export function sessionAgain(): Promise<void> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
    tell()
  })
}

/** Lets what waits go on. */
export function resume(): void {
  const ready = waiting
  waiting = []
  for (const each of ready) each()
  tell()
}

/** Whether the session is surely over: some requests answer 401 to a person who may not make them. */
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
