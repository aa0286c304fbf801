import type { Deps } from '../../src/deps.ts'
import type { ObjectId } from '../../src/lib/object-id.ts'
import type { Role } from '../../src/modules/access/members/rules.ts'
import { upsertMember } from '../../src/modules/access/members/sql.ts'
import { insertUser } from '../../src/modules/access/users-sql.ts'
import { freshAddress } from './addresses.ts'
import type { Service } from './service.ts'

export const PASSWORD = 'a password of the tests'

/** A person who can sign in; with `shopId`, a member of that shop. */
export async function makePerson(
  { db, ids, clock, passwords }: Pick<Deps, 'db' | 'ids' | 'clock' | 'passwords'>,
  options: { shopId?: ObjectId; role?: Role; isOperator?: boolean; isProved?: boolean } = {},
): Promise<{ id: ObjectId; email: string }> {
  const now = clock.now()
  const id = ids.next()
  const email = `${id}@people.example`
  const person = {
    id,
    name: 'Người thử',
    email,
    isOperator: options.isOperator ?? false,
    isProved: options.isProved ?? true,
    now,
  }
  await insertUser(db, person, { id: ids.next(), passwordHash: await passwords.hash(PASSWORD) })
  if (options.shopId !== undefined)
    await upsertMember(db, options.shopId, { userId: id, role: options.role ?? 'owner', by: null, now })
  return { id, email }
}

/** The cookie of a new session. Each comes from a new address, because sign-ins are counted by address. */
export async function signIn(running: Service, email: string, password = PASSWORD): Promise<string> {
  const response = await running.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    remoteAddress: freshAddress(),
    payload: { email, password },
  })
  if (response.statusCode !== 200)
    throw new Error(`sign-in answered ${response.statusCode}: ${response.body}`)
  return response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}
