import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, manage, send, service } from '../../support/service.ts'

const running = await service()
const PATH = '/api/console/v1/saved-views'
const PAID = { name: 'Đơn đã trả', search: { paymentStatus: 'paid', sortBy: 'createdAt' } }
const NEW = { name: 'Đơn mới', search: { status: 'pending' } }

async function member(role: 'owner' | 'staff' | 'viewer', shopId: string) {
  const person = await makePerson(running.deps, { shopId, role })
  const cookie = await signIn(running, person.email)
  const of = (shop: string) => ({ cookie, 'x-shop-id': shop })
  return {
    ...person,
    cookie,
    read: (shop = shopId) => send(running, 'GET', PATH, undefined, of(shop)),
    save: (body: unknown, shop = shopId) => send(running, 'PUT', PATH, body as object, of(shop)),
  }
}

describe('G-61 the saved views of a member', () => {
  it.each(['owner', 'staff', 'viewer'] as const)(
    'are kept list by list, in their order, for the role %s',
    async (role) => {
      const { shopId } = await makeShop(running)
      const { read, save } = await member(role, shopId)
      expect((await read()).body).toEqual({ data: [] })
      const saved = await save({ list: 'orders', views: [PAID, NEW] })
      expect(saved).toMatchObject({ status: 200, body: { data: { list: 'orders', views: [PAID, NEW] } } })
      await save({ list: 'customers', views: [{ name: 'An', search: { search: 'an' } }] })
      await save({ list: 'orders', views: [NEW, PAID] })
      expect((await read()).body.data).toEqual([
        { list: 'customers', views: [{ name: 'An', search: { search: 'an' } }] },
        { list: 'orders', views: [NEW, PAID] },
      ])
      await save({ list: 'orders', views: [] })
      expect((await read()).body.data).toEqual([
        { list: 'customers', views: [{ name: 'An', search: { search: 'an' } }] },
        { list: 'orders', views: [] },
      ])
      for (const list of ['products', 'messages', 'templates', 'news'])
        expect((await save({ list, views: [NEW] })).status).toBe(200)
    },
  )

  it('are theirs alone, and of one shop', async () => {
    const [shop, another] = [await makeShop(running), await makeShop(running)]
    const [one, other] = [await member('owner', shop.shopId), await member('owner', shop.shopId)]
    await sql`
      insert into members (shop_id, user_id, role, created_at, updated_at)
      values (${another.shopId}, ${one.id}, 'owner', now(), now())`.execute(running.database.db)
    await one.save({ list: 'orders', views: [PAID] })
    await one.save({ list: 'orders', views: [NEW] }, another.shopId)
    expect((await other.read()).body.data).toEqual([])
    expect((await one.read()).body.data).toEqual([{ list: 'orders', views: [PAID] }])
    expect((await one.read(another.shopId)).body.data).toEqual([{ list: 'orders', views: [NEW] }])
    const stranger = await makeShop(running)
    expect((await one.read(stranger.shopId)).status).toBe(401)
    expect((await one.save({ list: 'orders', views: [] }, stranger.shopId)).status).toBe(401)
  })

  it('lose a person’s phone number when the person is erased (G-78)', async () => {
    const { shopId } = await makeShop(running)
    const { read, save } = await member('owner', shopId)
    await save({ list: 'customers', views: [{ name: 'Anh 0912 000 881', search: { search: '912000881' } }] })
    const erased = await manage(running, 'POST', `/shops/${shopId}/people/erase`, { phone: '0912000881' })
    expect(erased.status, JSON.stringify(erased.body)).toBe(200)
    expect((await read()).body.data).toEqual([
      { list: 'customers', views: [{ name: 'Anh [erased]', search: { search: '[erased]' } }] },
    ])
  })

  it('go with the member who leaves the shop', async () => {
    const { shopId } = await makeShop(running)
    await member('owner', shopId)
    const { id, save } = await member('staff', shopId)
    await save({ list: 'orders', views: [PAID] })
    expect((await manage(running, 'DELETE', `/shops/${shopId}/members/${id}`)).status).toBe(200)
    expect((await save({ list: 'orders', views: [PAID] })).status).toBeOneOf([401, 404])
    const { rows } = await sql`
      select list from saved_views where shop_id = ${shopId}`.execute(running.database.db)
    expect(rows).toEqual([])
  })

  it('401 without a session, or with a key; 403 from another site; 400 with the field', async () => {
    const shop = await makeShop(running)
    const { cookie, save } = await member('owner', shop.shopId)
    expect((await send(running, 'GET', PATH)).status).toBe(401)
    expect((await shop.get(PATH)).status).toBe(401)
    const elsewhere = { cookie, 'x-shop-id': shop.shopId, origin: 'https://evil.example' }
    expect((await send(running, 'PUT', PATH, { list: 'orders', views: [] }, elsewhere)).status).toBe(403)
    const refused: [string, unknown][] = [
      ['list', { list: 'wallets', views: [] }],
      ['views', { list: 'orders', views: Array.from({ length: 21 }, () => PAID) }],
      ['views[0].name', { list: 'orders', views: [{ ...PAID, name: ' ' }] }],
      ['views[0].name', { list: 'orders', views: [{ ...PAID, name: 'x'.repeat(41) }] }],
      ['views[0].search.status', { list: 'orders', views: [{ ...PAID, search: { status: ['new'] } }] }],
      ['views[0].search.search', { list: 'orders', views: [{ ...PAID, search: { search: 912345678 } }] }],
      [
        'views[0].search.status',
        { list: 'orders', views: [{ ...PAID, search: { status: 'x'.repeat(501) } }] },
      ],
    ]
    for (const [field, body] of refused) {
      const { status, body: problem } = await save(body)
      expect(status, field).toBe(400)
      expect(JSON.stringify(problem)).toContain(field)
    }
  })
})

describe('G-61 an operator who visits a shop', () => {
  it('has no saved views there, and saves none: 404', async () => {
    const { shopId } = await makeShop(running)
    const { email } = await makePerson(running.deps, { isOperator: true })
    const headers = { cookie: await signIn(running, email), 'x-shop-id': shopId }
    await send(running, 'PUT', `/api/console/v1/visits/${shopId}`, undefined, { cookie: headers.cookie })
    expect((await send(running, 'GET', PATH, undefined, headers)).body.data).toEqual([])
    expect(await send(running, 'PUT', PATH, { list: 'orders', views: [PAID] }, headers)).toMatchObject({
      status: 404,
    })
  })
})
