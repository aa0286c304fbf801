import type { Db } from '../../db/client.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { presentCustomer } from './present.ts'
import { listCopiedCustomers } from './sql.ts'

/** Customers in the shape of the customer list (G-66, G-67). */
export async function copyCustomers(db: Db, shopId: ObjectId, copied: Copied) {
  return (await listCopiedCustomers(db, shopId, copied)).map(presentCustomer)
}
