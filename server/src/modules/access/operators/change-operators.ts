import type { Deps } from '../../../deps.ts'
import { NotFound } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { OperatorOrigin } from '../../audit/rules.ts'
import { insertOperatorAuditEntry } from '../../audit/sql.ts'
import { lockRight } from '../members/lock-right.ts'
import { replacePassword } from '../passwords/sql.ts'
import {
  findUserByEmail,
  insertUser,
  lockAddress,
  lockUsers,
  type UserRow,
  updateIsOperator,
} from '../users-sql.ts'

type Parts = Pick<Deps, 'db' | 'ids' | 'clock'>

/**
 * Makes a person an operator over all shops, and creates an account if the email has none (G-61). Their sessions and password
 * end, since whoever used them until now may not be the person (0017). If the person is an operator already, nothing changes and
 * nothing is recorded. @returns their id; they have no password until a link sets one.
 */
export async function makeOperator(
  { db, ids, clock }: Parts,
  asked: { email: string; name: string },
  origin: OperatorOrigin,
): Promise<ObjectId> {
  const { email, name } = asked
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin)
    await lockAddress(trx, email)
    const known = await findUserByEmail(trx, email)
    if (known?.is_operator) return known.id
    const userId = known?.id ?? ids.next()
    if (known !== undefined) {
      await lockUsers(trx, [userId])
      await updateIsOperator(trx, userId, true, now)
      await replacePassword(trx, userId, { hash: null, isProved: false, now })
    } else {
      const person = { id: userId, name, email, isOperator: true, isProved: false, now }
      await insertUser(trx, person, { id: ids.next(), passwordHash: null })
    }
    await insertOperatorAuditEntry(trx, {
      id: ids.next(),
      origin,
      action: 'operator.add',
      target: { userId },
      detail: { email },
      now,
    })
    return userId
  })
}

/** Removes a person's operator right (G-61). @throws NotFound if they are not an operator. */
export async function removeOperator(
  { db, ids, clock }: Parts,
  userId: ObjectId,
  origin: OperatorOrigin,
): Promise<UserRow> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    // Both people are locked together, in one order, since two operators may remove each other at once.
    await lockUsers(trx, origin.actor === 'member' ? [userId, origin.actorId] : [userId])
    await lockRight(trx, origin)
    const user = await updateIsOperator(trx, userId, false, now)
    if (user === undefined) throw new NotFound('user')
    await insertOperatorAuditEntry(trx, {
      id: ids.next(),
      origin,
      action: 'operator.remove',
      target: { userId },
      detail: { email: user.email },
      now,
    })
    return user
  })
}

/** Records that a link for setting a person's password is handed out (G-61), before it is handed out. */
export async function recordResetLink(
  { db, ids, clock }: Parts,
  user: { id: ObjectId; email: string },
  origin: OperatorOrigin,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockRight(trx, origin)
    await insertOperatorAuditEntry(trx, {
      id: ids.next(),
      origin,
      action: 'reset_link.create',
      target: { userId: user.id },
      detail: { email: user.email },
      now: clock.now(),
    })
  })
}
