import { randomBytes } from 'node:crypto'
import type { Call, Shop } from '../shapes.ts'

export const PASSWORD = 'a password of the fuzz'

/** Creates a person with an account and a role in the shop; returns the email address. */
export async function makePerson(call: Call, shop: Shop, role: string, name: string): Promise<string> {
  const email = `${name}-${role}-${randomBytes(6).toString('hex')}@people.example`
  const path = `/api/manage/v1/shops/${shop.id}/invitations`
  const { link } = (await call('POST', path, 'operator', { email, role })).body.data
  await call('POST', `/api/console/v1/invitations/${tokenIn(link)}/accept`, 'nobody', {
    name: `Người ${shop.mark}`,
    password: PASSWORD,
  })
  return email
}

export function tokenIn(link: string): string {
  return /token=([^&]+)/.exec(link)![1]!
}
