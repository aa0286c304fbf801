import { waitUntil } from '../../shared/wait.ts'
import { OPERATOR_TOKEN } from '../service.ts'
import { type Call, type Caller, KINDS, type Kind, type Shop, type World } from '../shapes.ts'
import { makeOne } from './makers.ts'
import { makePerson, PASSWORD } from './people.ts'

/** The first records of each kind are kept; later ones are replaced. */
const KEPT = 3
const REMEMBERED = 40
const SCOPES = ['read', 'catalogue', 'orders', 'content', 'messages', 'wallet']

export function headersOf(as: Caller): Record<string, string> {
  if (as === 'nobody') return {}
  if (as === 'operator') return { authorization: `Bearer ${OPERATOR_TOKEN}` }
  return 'cookie' in as ? { cookie: as.cookie } : { 'x-api-key': `service-partner ${as.shop.key}` }
}

export function remember(shop: Shop, kind: Kind, id: string): void {
  const ids = shop.ids[kind]
  if (ids.includes(id)) return
  ids.push(id)
  if (ids.length > REMEMBERED) ids.splice(KEPT, 1)
}

/** Two shops with records of every kind, made through the API. */
export async function makeWorld(call: Call, webhookUrl: string, seed: number): Promise<World> {
  const shops = [
    await makeShop(call, `hieumot${seed.toString(36)}`),
    await makeShop(call, `hieuhai${seed.toString(36)}`),
  ] as [Shop, Shop]
  const emails = {
    signIn: await makePerson(call, shops[0], 'viewer', 'sign-in'),
    resetPassword: await makePerson(call, shops[0], 'viewer', 'reset-password'),
  }
  const world = { shops, call, webhookUrl, emails }
  for (const shop of shops) {
    for (const role of ['owner', 'staff', 'viewer']) {
      const email = await makePerson(call, shop, role, 'member')
      shop.sessions.push(await signIn(call, email))
    }
    for (const kind of KINDS) {
      if (kind === 'approvedTemplate') continue
      const count = shop.ids[kind].length === 0 ? 1 : 0
      for (let n = 0; n < count; n++) remember(shop, kind, await makeOne(world, shop, kind))
    }
  }
  return world
}

async function makeShop(call: Call, mark: string): Promise<Shop> {
  const { shop: made, apiKey: key } = (
    await call('POST', '/api/manage/v1/shops', 'operator', { name: `Tiệm ${mark}`, language: 'en' })
  ).body.data
  const manage = `/api/manage/v1/shops/${made._id}`
  const shop: Shop = {
    id: made._id,
    mark,
    oaId: `oa-${made._id}`,
    key,
    scopedKeys: [],
    sessions: [],
    ids: Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Shop['ids'],
  }
  await call('POST', `${manage}/official-accounts`, 'operator', { oaId: shop.oaId, name: `OA ${mark}` })
  await call('POST', `${manage}/wallet/entries`, 'operator', { amount: 1_000_000_000, note: 'nạp ví' })
  for (const scope of SCOPES) {
    const body = { name: scope, scopes: [scope] }
    shop.scopedKeys.push((await call('POST', `${manage}/keys`, 'operator', body)).body.data.apiKey)
  }
  // A second product, and an approved template, which every send needs.
  remember(shop, 'product', await makeOne({ call, webhookUrl: '' }, shop, 'product'))
  remember(shop, 'approvedTemplate', await approvedTemplate(call, shop))
  return shop
}

async function approvedTemplate(call: Call, shop: Shop): Promise<string> {
  const id = await makeOne({ call, webhookUrl: '' }, shop, 'template')
  const path = `/api/external/notify-template/${id}`
  await call('POST', `${path}/publish`, { shop })
  let status = ''
  const isDecided = async () => {
    status = (await call('GET', path, { shop })).body.data.status
    return status === 'ENABLE' || status === 'REJECTED'
  }
  await waitUntil(isDecided, { everyMs: 100, withinMs: 60_000 })
  if (status === 'ENABLE') return id
  throw new Error('the simulator did not approve the template')
}

/** Signs in. @returns the cookies of the new session. */
export async function signIn(call: Call, email: string): Promise<string> {
  const answer = await call('POST', '/api/auth/sign-in/email', 'nobody', { email, password: PASSWORD })
  const cookies: string[] = answer.headers['set-cookie'] ?? []
  return cookies.map((one) => one.split(';')[0]).join('; ')
}
