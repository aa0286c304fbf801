import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { secretFile } from '../lib/secrets/secret-file.ts'
import { hashApiKey } from '../modules/access/keys/rules.ts'
import { upsertMember } from '../modules/access/members/sql.ts'
import { findUserByEmail, insertUser } from '../modules/access/users-sql.ts'

const EMAIL = 'owner@nhamoc.example'
export const PASSWORD_FILE = 'demo-owner-password'

/**
 * Creates the person who signs in to the demo's console: the owner of its shop and, since a demo has nobody else, the
 * operator too.
 * @returns how to sign in, with the password only if the person was created now; undefined if there is no such shop.
 */
export async function ensureDemoOwner(
  deps: Deps,
  demoKey: string,
): Promise<{ email: string; password: string | undefined } | undefined> {
  const { config, db, ids, clock } = deps
  if ((await findUserByEmail(db, EMAIL)) !== undefined) return { email: EMAIL, password: undefined }
  const password = secretFile(config.dataDir, PASSWORD_FILE, () => randomBytes(9).toString('base64url'))
  const { rows } = await sql<{ shop_id: ObjectId }>`
    select shop_id
    from api_keys
    where hash = ${hashApiKey(demoKey)}`.execute(db)
  const shopId = rows[0]?.shop_id
  if (shopId === undefined) return undefined
  const passwordHash = await deps.passwords.hash(password)
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    const person = {
      id: ids.next(),
      name: 'Nguyễn Thị Mộc',
      email: EMAIL,
      isOperator: true,
      isProved: true,
      now,
    }
    await insertUser(trx, person, { id: ids.next(), passwordHash })
    await upsertMember(trx, shopId, { userId: person.id, role: 'owner', by: null, now })
  })
  return { email: EMAIL, password }
}
