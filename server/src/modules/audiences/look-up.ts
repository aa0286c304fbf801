import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { countMembers, listMembers, type Wanted } from './members-sql.ts'
import { type Definition, type Member, testsOf } from './rules.ts'

/** The most customers that one statement looks at; fewer if the lines of their orders are read. */
const WALK = 10_000
const WALK_OF_GOODS = 1_000
/** The most statements of one call. */
const STEPS = 10

/** The next members whose ids follow `after`; `next` is null at the end. */
export async function listAudience(
  db: Db,
  shopId: ObjectId,
  definition: Definition,
  { after, limit }: { after: ObjectId; limit: number },
  now: Date,
): Promise<{ members: Member[]; next: ObjectId | null }> {
  const { wanted, walk } = wantedOf(definition, now)
  const members: Member[] = []
  let next: ObjectId | null = after
  let looked = 0
  while (next !== null && members.length < limit && looked < WALK) {
    const found = await listMembers(db, shopId, wanted, { after: next, walk, limit: limit - members.length })
    members.push(...found.members)
    next = found.last
    looked += walk
  }
  return { members, next }
}

/** Counts the members whose ids follow `after`, in a few statements, so that none of them runs long. */
export async function countAudience(
  db: Db,
  shopId: ObjectId,
  definition: Definition,
  after: ObjectId,
  now: Date,
): Promise<{ customers: number; withoutPhone: number; next: ObjectId | null }> {
  const { wanted, walk } = wantedOf(definition, now)
  let next: ObjectId | null = after
  let customers = 0
  let withoutPhone = 0
  for (let step = 0; step < STEPS && next !== null; step++) {
    const counted = await countMembers(db, shopId, wanted, { after: next, walk })
    customers += counted.customers
    withoutPhone += counted.withoutPhone
    next = counted.last
  }
  return { customers, withoutPhone, next }
}

function wantedOf(definition: Definition, now: Date): { wanted: Wanted; walk: number } {
  const tests = testsOf(definition, now)
  const isOfGoods = tests.some(
    (test) => test.kind === 'orders' && test.productIds.length + test.categoryIds.length > 0,
  )
  return { wanted: { match: definition.match, tests }, walk: isOfGoods ? WALK_OF_GOODS : WALK }
}
