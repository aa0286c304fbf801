import type { Trx } from '../../../db/client.ts'
import { Unauthorized } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Origin } from '../../audit/rules.ts'
import { lockOperator } from '../users-sql.ts'
import { lockOwner } from './sql.ts'

/**
 * Locks the right by which the signed-in person makes this change until the transaction ends: as an operator, or as an
 * owner of the shop. A concurrent removal waits for the change, or comes first and the change is refused: nobody can
 * undo their own removal with a request that was authenticated just before. The operator's token and keys have checks
 * of their own.
 * @throws Unauthorized when the right was removed after the request was authenticated.
 */
export async function lockRight(trx: Trx, origin: Origin, shopId?: ObjectId): Promise<void> {
  if (origin.actor !== 'member') return
  if (await lockOperator(trx, origin.actorId)) return
  if (shopId !== undefined && (await lockOwner(trx, shopId, origin.actorId))) return
  throw new Unauthorized('operatorToken')
}
