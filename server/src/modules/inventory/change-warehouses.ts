import { sqlProblem } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound, Refused } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { storedLine, storedName } from '../../stored-text.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import {
  clearDefault,
  deleteWarehouse,
  insertWarehouse,
  lockWarehouses,
  updateWarehouse,
  type WarehouseRow,
} from './sql/warehouses.ts'

export type WarehouseFields = { name?: string; address?: string; isDefault?: boolean }

/**
 * Creates a warehouse; as the default one it replaces the previous default (G-38).
 * @throws ValidationError for a blank name.
 */
export async function createWarehouse(
  deps: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  fields: WarehouseFields & { name: string },
  id: ObjectId,
  by: ObjectId | null,
): Promise<WarehouseRow> {
  const name = storedName(fields.name)
  const isDefault = fields.isDefault ?? false
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (trx) => {
    if (isDefault) {
      await lockWarehouses(trx, shopId)
      await clearDefault(trx, shopId, { by, now })
    }
    return insertWarehouse(trx, shopId, {
      id,
      name,
      address: storedLine(fields.address ?? ''),
      isDefault,
      now,
    })
  })
}

/**
 * Changes the given fields of a warehouse (G-38). A shop has exactly one default warehouse at every moment, so a
 * default can only be replaced by another.
 * @throws NotFound; RecordChanged; ValidationError for a blank name or an `isDefault` of false on the default warehouse.
 */
export async function changeWarehouse(
  deps: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  id: ObjectId,
  fields: WarehouseFields,
  edit: Edit,
): Promise<WarehouseRow> {
  const name = fields.name === undefined ? undefined : storedName(fields.name)
  const address = storedLine(fields.address)
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (trx) => {
    const before = (await lockWarehouses(trx, shopId)).find((warehouse) => warehouse.id === id)
    if (before === undefined) throw new NotFound('warehouse')
    await assertVersion(trx, shopId, 'warehouses', before, edit)
    if (before.is_default && fields.isDefault === false) {
      throw invalidField(['isDefault'], 'warehouse.lastDefault')
    }
    const isDefault = fields.isDefault ?? before.is_default
    if (isDefault && !before.is_default) await clearDefault(trx, shopId, { by: edit.by, now })
    return updateWarehouse(trx, shopId, id, { name, address, isDefault, by: edit.by, now })
  })
}

/**
 * Deletes a warehouse that was never used (G-38).
 * @throws NotFound; Refused WAREHOUSE_IS_DEFAULT, or WAREHOUSE_IN_USE if it has or had stock, since its movements must stay.
 */
export async function removeWarehouse(deps: Pick<Deps, 'db'>, shopId: ObjectId, id: ObjectId): Promise<void> {
  await deps.db
    .transaction()
    .execute(async (trx) => {
      const warehouse = (await lockWarehouses(trx, shopId)).find((one) => one.id === id)
      if (warehouse === undefined) throw new NotFound('warehouse')
      if (warehouse.is_default) throw new Refused('WAREHOUSE_IS_DEFAULT')
      await deleteWarehouse(trx, shopId, id)
    })
    .catch((error) => {
      throw sqlProblem(error)?.state === '23503' ? new Refused('WAREHOUSE_IN_USE') : error
    })
}
