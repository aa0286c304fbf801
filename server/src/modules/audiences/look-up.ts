import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { countMembers, listMembers } from './members-sql.ts'
import { type Definition, type Member, testsOf } from './rules.ts'

/** The customers that one statement looks at. */
const WALK = 10_000
/** The statements of one count. */
const COUNT_STEPS = 10

/** The next members behind a customer's id; `next` is null at the end. */
export async function listAudience(
  db: Db,
  shopId: ObjectId,
  definition: Definition,
  { after, limit }: { after: ObjectId; limit: number },
  now: Date,
): Promise<{ members: Member[]; next: ObjectId | null }> {
  const wanted = { match: definition.match, tests: testsOf(definition, now) }
  const { members, last } = await listMembers(db, shopId, wanted, { after, walk: WALK, limit })
  return { members, next: last }
}

/** Counts the members behind a customer's id in a few statements, so that none of them runs long. */
export async function countAudience(
  db: Db,
  shopId: ObjectId,
  definition: Definition,
  after: ObjectId,
  now: Date,
): Promise<{ customers: number; withoutPhone: number; next: ObjectId | null }> {
  const wanted = { match: definition.match, tests: testsOf(definition, now) }
  let next: ObjectId | null = after
  let customers = 0
  let withoutPhone = 0
  for (let step = 0; step < COUNT_STEPS && next !== null; step++) {
    const counted = await countMembers(db, shopId, wanted, { after: next, walk: WALK })
    customers += counted.customers
    withoutPhone += counted.withoutPhone
    next = counted.last
  }
  return { customers, withoutPhone, next }
}
