import type { Deps } from '../../../deps.ts'
import { Refused, Unauthorized } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { sha256 } from '../../../lib/secrets/sha256.ts'
import { lockUsers } from '../users-sql.ts'
import { findPasswordHash, findResetLink, replacePassword } from './sql.ts'

type Parts = Pick<Deps, 'db' | 'clock'>

/** How the sign-in library stores a reset link's token: base64url of SHA-256. */
export function resetIdentifier(token: string): string {
  return sha256(`reset-password:${token}`).toString('base64url')
}

/**
 * Sets the password of the person for whom a link was made, once. All of their sessions and other links end, and their address is
 * proved: the link was mailed to it, or handed over by the operator (0017).
 * @returns the person.
 * @throws Refused LINK_USED
 */
export async function resetPassword(
  { db, clock }: Parts,
  token: string,
  passwordHash: string,
): Promise<{ id: ObjectId; email: string }> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const identifier = resetIdentifier(token)
    const userId = await findResetLink(trx, identifier, now)
    const [user] = userId === undefined ? [] : await lockUsers(trx, [userId])
    // Checked again under the lock: the transaction that held it before may have ended the link.
    const isOpen = user !== undefined && (await findResetLink(trx, identifier, now)) === user.id
    if (!isOpen) throw new Refused('LINK_USED')
    await replacePassword(trx, user.id, { hash: passwordHash, isProved: true, now })
    return user
  })
}

/**
 * Sets a new password; all other sessions and every reset link end.
 * @param knownHash the hash against which the current password was checked
 * @throws Unauthorized when the password was changed since it was checked.
 */
export async function changePassword(
  { db, clock }: Parts,
  user: { id: ObjectId; sessionToken: string },
  knownHash: string,
  passwordHash: string,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    await lockUsers(trx, [user.id])
    if ((await findPasswordHash(trx, user.id)) !== knownHash) throw new Unauthorized('password')
    const keepSessionToken = user.sessionToken
    await replacePassword(trx, user.id, { hash: passwordHash, keepSessionToken, isProved: false, now })
  })
}
