import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { findBuyers } from './buyers-sql.ts'
import { countMembers, listMembers, type Wanted } from './members-sql.ts'
import { type Definition, type Member, type Test, testsOf } from './rules.ts'

/** The most lines of goods with which their buyers are looked up first. With more, the list is too long for a statement. */
const MOST_LINES = 20_000
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
  const { wanted, walk } = await wantedOf(db, shopId, definition, now)
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
  const { wanted, walk } = await wantedOf(db, shopId, definition, now)
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

async function wantedOf(
  db: Db,
  shopId: ObjectId,
  definition: Definition,
  now: Date,
): Promise<{ wanted: Wanted; walk: number }> {
  const tests: Wanted['tests'] = []
  // One after the other: at once, ten conditions would take the shop's whole share of the connections.
  for (const test of testsOf(definition, now)) tests.push(await withBuyers(db, shopId, test))
  return { wanted: { match: definition.match, tests }, walk: tests.some(isOfGoods) ? WALK_OF_GOODS : WALK }
}

/** The test with the buyers of its goods in their place, where they are few enough. */
async function withBuyers(db: Db, shopId: ObjectId, test: Test): Promise<Wanted['tests'][number]> {
  if (!isOfGoods(test)) return test
  const customerIds = await findBuyers(db, shopId, test, MOST_LINES)
  return customerIds === undefined ? test : { kind: 'buyers', hasSome: test.hasSome, customerIds }
}

function isOfGoods(test: Wanted['tests'][number]): test is Extract<Test, { kind: 'orders' }> {
  return test.kind === 'orders' && test.productIds.length + test.categoryIds.length > 0
}
