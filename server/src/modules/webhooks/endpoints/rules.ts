import { randomBytes } from 'node:crypto'
import type { EventType } from '../outbox/event-types.ts'

export const MAX_ENDPOINTS = 20

/** How long the old secret also signs after a rotation. */
export const OLD_SECRET_MS = 24 * 3_600_000

/** A fresh signing secret in the form of Standard Webhooks: 32 bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** An endpoint's address without its query, which can hold a secret; for logs. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** An endpoint's address without its query and its user part. */
export function withoutSecrets(url: string): string {
  return withoutQuery(url).replace(/^([a-z]+:\/\/)[^/]*@/i, '$1')
}

/** The requested types, each once; '*' means all. */
export function normalizedEvents(events: readonly (EventType | '*')[]): (EventType | '*')[] {
  return events.includes('*') ? ['*'] : [...new Set(events)]
}

/** Whether this is the sort key of an attempt: its time in microseconds and its number. */
export function isAttemptKey(key: unknown): boolean {
  return typeof key === 'string' && /^\d{1,16}\.\d{1,9}$/.test(key)
}
