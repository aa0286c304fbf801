import { invalidQuery } from '../../../errors.ts'
import { listedWords } from '../../../lib/lists/listed-words.ts'
import { ALL_EVENT_TYPES, EVENT_TYPES, type EventType } from '../outbox/event-types.ts'

/** The requested types; undefined means all. @throws ValidationError for an unknown one. */
export function askedEventTypes(text: string | undefined): EventType[] | undefined {
  const asked = listedWords(text)
  if (asked.length === 0) return undefined
  return asked.map((word) => {
    const type = ALL_EVENT_TYPES.find((one) => one === word)
    if (type === undefined) throw invalidQuery('types', 'select.parts', { valids: EVENT_TYPES })
    return type
  })
}
