import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { http, manageOver } from '../../server/test/support/process.ts'
import type { Console } from './support.ts'

/** A second, empty shop of the owner. */
export async function joinOtherShop(
  shop: Console,
): Promise<{ id: string; name: string; countOrders(): Promise<number> }> {
  const name = `Tiệm thứ hai ${randomUUID()}`
  const made = (await manageOver(shop.url, 'POST', '/shops', { name })).body.data
  const { email, password } = shop.owner
  const invited = await manageOver(shop.url, 'POST', `/shops/${made.shop._id}/invitations`, {
    email,
    role: 'owner',
  })
  const origin = { origin: shop.url }
  const session = await http(shop.url, 'POST', '/api/auth/sign-in/email', { email, password }, origin)
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const token = new URL(invited.body.data.link, shop.url).searchParams.get('token')
  const joined = await http(
    shop.url,
    'POST',
    `/api/console/v1/invitations/${token}/accept`,
    {},
    { ...origin, cookie },
  )
  expect(joined.status).toBeLessThan(300)
  const key = { 'x-api-key': `service-partner ${made.apiKey}` }
  return {
    id: made.shop._id,
    name,
    async countOrders() {
      return (await http(shop.url, 'GET', '/api/external/v1/orders?limit=1', undefined, key)).body.data.meta
        .total
    },
  }
}
