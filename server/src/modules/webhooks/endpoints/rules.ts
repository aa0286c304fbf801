import { randomBytes } from 'node:crypto'
import type { EventType } from '../outbox/event-types.ts'

export const MAX_ENDPOINTS = 20

/** How long a rotated secret goes on signing beside the new one. */
export const OLD_SECRET_MS = 24 * 3_600_000

/** A fresh signing secret in the form of Standard Webhooks: 32 bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** An endpoint's address as it may be noted: its query can hold a secret. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** The same without its user part too. */
export function withoutSecrets(url: string): string {
  return withoutQuery(url).replace(/^([a-z]+:\/\/)[^/]*@/i, '$1')
}

/** The types asked for, each once; '*' stands for all. */
export function normalizedEvents(events: readonly (EventType | '*')[]): (EventType | '*')[] {
  return events.includes('*') ? ['*'] : [...new Set(events)]
}

/** Whether this is the sort key of an attempt: its time in microseconds and its number. */
export function isAttemptKey(key: unknown): boolean {
  return typeof key === 'string' && /^\d{1,16}\.\d{1,9}$/.test(key)
}
