import type { Trx } from '../../../db/client.ts'
import { Unauthorized } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Origin } from '../../audit/rules.ts'
import { holdOperator } from '../users-sql.ts'
import { holdOwner } from './sql.ts'

/**
 * Holds what lets the signed-in person make this change until the transaction ends: an operator, or an owner of the
 * shop. Whoever takes it from them waits for the change, or has it refused: nobody undoes their own removal with a
 * request that was let in just before. The operator's token and keys are held by their own checks.
 * @throws Unauthorized when it was taken away since the request was let in.
 */
export async function holdRight(trx: Trx, origin: Origin, shopId?: ObjectId): Promise<void> {
  if (origin.actor !== 'member') return
  if (await holdOperator(trx, origin.actorId)) return
  if (shopId !== undefined && (await holdOwner(trx, shopId, origin.actorId))) return
  throw new Unauthorized('operatorToken')
}
