import { randomBytes } from 'node:crypto'

/** 24 hexadecimal characters; lower case in ids that we make. */
export type ObjectId = string

const COUNTER_LIMIT = 0x1000000
const SECONDS_LIMIT = 0xffffffff

/** Whether the text is 24 hexadecimal characters, in either case (G-04). */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{24}$/i.test(text)
}

/** The id as it is stored: lower case. The text must already be an object id. */
export function normalizeObjectId(text: string): ObjectId {
  return text.toLowerCase()
}

/**
 * A source of new ids: 4 bytes of seconds, 5 random bytes of this source, 3 bytes of a counter. The ids of one source
 * increase strictly, even while the clock does not advance or steps back. Ids of several processes sort by the second. When
 * the 16.7 million ids of a second are used up, the ids of the next second are used.
 */
export function createIds(clock: { now(): Date } = { now: () => new Date() }): { next(): ObjectId } {
  const source = randomBytes(5).toString('hex')
  let seconds = 0
  let counter = -1

  return {
    next() {
      const current = Math.min(Math.floor(clock.now().getTime() / 1000), SECONDS_LIMIT)
      counter += 1
      if (current > seconds) {
        seconds = current
        counter = 0
      } else if (counter === COUNTER_LIMIT) {
        seconds += 1
        counter = 0
      }
      return seconds.toString(16).padStart(8, '0') + source + counter.toString(16).padStart(6, '0')
    },
  }
}

export type Ids = ReturnType<typeof createIds>
