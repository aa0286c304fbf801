export type ConsentStatus = 'granted' | 'withdrawn'

/** `recipient` is a phone number as `84…`, or a UID of the platform. */
export type Recipient = { channel: 'phone' | 'uid'; recipient: string }

/**
 * The tags of templates that are sent whatever the recipient has withdrawn (G-77): what someone waits for, such as a
 * one-time password or the confirmation of an order. Care (2) and offers (3) are not.
 */
export const EXEMPT_TAGS: readonly string[] = ['1']

/** What a customer said longer ago is no longer taken. */
export const OLDEST_DAYS = 3_650
