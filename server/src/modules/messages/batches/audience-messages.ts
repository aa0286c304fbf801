import type { Db } from '../../../db/client.ts'
import { invalidField, NotFound } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { listAudience } from '../../audiences/look-up.ts'
import { type Member, memberValues, VALUE_NAMES } from '../../audiences/rules.ts'
import { findAudience } from '../../audiences/sql.ts'
import type { BatchMessage } from './decide-batch.ts'
import { MAX_MESSAGES } from './rules.ts'

/**
 * Messages to the customers of an audience that follow a given one, and the customer of each. `next`: the last customer that was
 * looked at, null at the end of the audience.
 */
export type AudienceMessages = { messages: BatchMessage[]; customerIds: ObjectId[]; next: ObjectId | null }

/** The most reads of the audience for one batch; each looks through up to ten thousand customers. */
const STEPS = 3

/**
 * The messages of the next batch to an audience (G-27): to up to {@link MAX_MESSAGES} of its customers after `after`, with the
 * placeholders in the texts of `params` replaced by what is known of each customer. A text that ends up empty is left out, so
 * that the message is refused for the missing value.
 * @throws NotFound audience; ValidationError naming a param whose text has an unknown placeholder.
 */
export async function messagesToAudience(
  db: Db,
  shopId: ObjectId,
  asked: { audienceId: ObjectId; params: Record<string, string>; after: ObjectId },
  now: Date,
): Promise<AudienceMessages> {
  assertPlaces(asked.params)
  const audience = await findAudience(db, shopId, asked.audienceId)
  if (audience === undefined) throw new NotFound('audience')
  const members: Member[] = []
  let next: ObjectId | null = asked.after
  for (let step = 0; step < STEPS && next !== null && members.length < MAX_MESSAGES; step++) {
    const place = { after: next, limit: MAX_MESSAGES - members.length }
    const found = await listAudience(db, shopId, audience, place, now)
    members.push(...found.members)
    next = found.next
  }
  const messages = members.map((member) => messageTo(member, asked.params))
  return { messages, customerIds: members.map(({ id }) => id), next }
}

const PLACE = /\{([^{}]*)\}/g

function assertPlaces(params: Record<string, string>): void {
  const known: readonly string[] = VALUE_NAMES
  for (const [key, text] of Object.entries(params)) {
    const wrong = [...text.matchAll(PLACE)].find(([, name = '']) => !known.includes(name))
    if (wrong === undefined) continue
    const valids = VALUE_NAMES.map((name) => `{${name}}`)
    throw invalidField(['params', key], 'audience.value', { name: wrong[0], valids })
  }
}

function messageTo(member: Member, params: Record<string, string>): BatchMessage {
  const values: Record<string, string> = memberValues(member)
  const filled = Object.entries(params).map(([key, text]): [string, string] => [
    key,
    text.replace(PLACE, (_place, name: string) => values[name] ?? '').trim(),
  ])
  const known = filled.filter(([, text]) => text !== '')
  // As people write it: a stored foreign number lacks the plus that it needs here.
  return { receiverPhone: values.phone!, params: Object.fromEntries(known) }
}
