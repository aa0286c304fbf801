export type ConsentStatus = 'granted' | 'withdrawn'

/** `recipient` is a phone number as `84…`, or a UID of the platform. */
export type Recipient = { channel: 'phone' | 'uid'; recipient: string }

/**
 * The tags of templates that are sent even to recipients who opted out (G-77): messages that someone waits for, such as a
 * one-time password or the confirmation of an order. Care (2) and offers (3) are not exempt.
 */
export const EXEMPT_TAGS: readonly string[] = ['1']

/** The oldest consent or opt-out that can be recorded, in days: ten years with their leap days. */
export const OLDEST_DAYS = 3_653
