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
 * Makes a person an operator over all shops, with an account where the e-mail has none (G-61). Their sessions and their
 * password end: who had them until now need not be the person (0017). One who is an operator already stays one, without
 * an entry.
 * @returns their id; they have no password until a link sets one.
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

/** Takes from a person what makes them an operator (G-61). @throws NotFound when they are none. */
export async function removeOperator(
  { db, ids, clock }: Parts,
  userId: ObjectId,
  origin: OperatorOrigin,
): Promise<UserRow> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    // Both at once, in one order: two operators may remove each other.
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

/** Notes that a link which sets a person's password is handed out (G-61): before it is. */
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
