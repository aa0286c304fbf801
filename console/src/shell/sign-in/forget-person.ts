import { dropCopies } from '../../screens/pos/left-sales.ts'

/** The person, their saved views of lists, and their own number or UID for tests of messages. */
const OF_A_PERSON = /^shopbell\.(me$|views |test-)/

/**
 * Removes from the browser what it keeps of the person who has signed out, except sales that still wait to be sent, and
 * a batch that is not known to be accepted: otherwise the person could send it a second time.
 */
export function forgetPerson(): void {
  dropCopies()
  for (const place of Object.keys(localStorage)) if (OF_A_PERSON.test(place)) localStorage.removeItem(place)
}
