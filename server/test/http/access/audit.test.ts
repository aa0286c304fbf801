import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makePerson, signIn } from '../../support/members.ts'
import { type Answer, makeShop, manage, send, service, unusedId } from '../../support/service.ts'

const running = await service()

type Entry = {
  shopId: string
  shopName: string | null
  actor: string
  actorId: string | null
  actorName: string | null
  actorEmail: string | null
  action: string
  target: Record<string, string>
  detail: Record<string, unknown>
  requestId: string
  address: string
}

async function auditOf(shopId: string, query = ''): Promise<Entry[]> {
  const answer = await manage(running, 'GET', `/shops/${shopId}/audit${query}`)
  expect(answer.status).toBe(200)
  return answer.body.data
}

describe('G-61 audit log', () => {
  it('one entry for each change, with who, what, its ids, the request and the address, and no secret', async () => {
    const secrets = ['mật-khóa', 'mật-vào', 'mật-mới']
    const requests: Answer[] = []
    const change = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
      const answer = await manage(running, method, path, body)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      requests.push(answer)
      return answer.body.data
    }
    const made = await change('POST', '/shops', { name: 'Hoa', language: 'vi' })
    const shop = `/shops/${made.shop._id}`
    await change('PATCH', shop, { name: 'Hoa Mai', oversell: 'deny' })
    const bank = { bin: '970436', number: '1023456789', holder: 'Hoa Mai' }
    await change('PATCH', shop, { address: ' 1 Hàng Đào ', bank })
    const issued = await change('POST', `${shop}/keys`, { name: 'ERP', scopes: ['read'] })
    const rotated = await change('POST', `${shop}/keys/${issued.key._id}/rotate`, { overlapSeconds: 60 })
    await change('DELETE', `${shop}/keys/${rotated.key._id}`)
    const account = await change('POST', `${shop}/official-accounts`, {
      oaId: 'oa-1',
      name: 'OA',
      secretKey: secrets[0],
      accessToken: secrets[1],
    })
    const accountPath = `${shop}/official-accounts/${account._id}`
    await change('PATCH', accountPath, { price: 300, refreshToken: secrets[2] })
    await change('DELETE', accountPath)
    await change('POST', `${shop}/wallet/entries`, { amount: 5000, note: 'nạp' })
    await change('POST', `${shop}/wallet/entries`, { amount: -500, note: 'sửa' })

    const entries = (await auditOf(made.shop._id)).toReversed()
    const ids = { shopId: made.shop._id }
    expect(entries.map(({ action, target, detail }) => [action, target, detail])).toEqual([
      ['shop.create', ids, { name: 'Hoa', language: 'vi', oversell: 'allow', unknownPolicy: null }],
      ['key.create', { keyId: expect.any(String) }, expect.objectContaining({ name: 'Khóa đầu tiên' })],
      ['shop.update', ids, { name: ['Hoa', 'Hoa Mai'], oversell: ['allow', 'deny'] }],
      [
        'shop.update',
        ids,
        {
          address: ['', '1 Hàng Đào'],
          bankBin: [null, '970436'],
          bankNumber: [null, '1023456789'],
          bankHolder: [null, 'Hoa Mai'],
        },
      ],
      ['key.create', { keyId: issued.key._id }, { name: 'ERP', scopes: ['read'], expiresAt: null }],
      [
        'key.rotate',
        { keyId: issued.key._id, newKeyId: rotated.key._id },
        { overlapSeconds: 60, expiresAt: null },
      ],
      ['key.revoke', { keyId: rotated.key._id }, { name: 'ERP' }],
      [
        'official_account.link',
        { officialAccountId: account._id },
        { oaId: 'oa-1', name: 'OA', credentials: ['secretKey', 'accessToken'] },
      ],
      [
        'official_account.update',
        { officialAccountId: account._id },
        { oaId: 'oa-1', pricePhone: [null, 300], credentials: ['refreshToken'] },
      ],
      ['official_account.unlink', { officialAccountId: account._id }, { oaId: 'oa-1', name: 'OA' }],
      ['wallet.top_up', { entryId: expect.any(String) }, { amount: 5000, note: 'nạp', balance: 5000 }],
      ['wallet.correct', { entryId: expect.any(String) }, { amount: -500, note: 'sửa', balance: 4500 }],
    ])
    // The first request made two entries.
    const requestIds = requests.map(({ headers }) => headers['x-request-id'])
    expect(entries.map((entry) => entry.requestId)).toEqual([requestIds[0], ...requestIds])
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor: 'operator', actorId: null, address: '127.0.0.1' })
    }
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(e)::text as row from audit_entries e where shop_id = ${made.shop._id}`.execute(
      running.database.db,
    )
    const text = JSON.stringify([entries, rows])
    for (const secret of [...secrets, made.apiKey, issued.apiKey, rotated.apiKey]) {
      expect(text).not.toContain(secret.slice(-20))
    }
  })

  it('what changes nothing leaves no entry: a refusal, a missing record, a revocation again, an equal setting', async () => {
    const { shopId } = await makeShop(running, { name: 'Hoa' })
    const key = (await manage(running, 'GET', `/shops/${shopId}/keys`)).body.data[0]
    await manage(running, 'DELETE', `/shops/${shopId}/keys/${key._id}`)
    const before = await auditOf(shopId)
    const nothing = [
      await manage(running, 'DELETE', `/shops/${shopId}/keys/${key._id}`),
      await manage(running, 'POST', `/shops/${shopId}/keys/${key._id}/rotate`, { overlapSeconds: 1 }),
      await manage(running, 'PATCH', `/shops/${shopId}`, { name: 'Hoa', language: 'en' }),
      await manage(running, 'PATCH', `/shops/${shopId}`, {}),
      await manage(running, 'POST', `/shops/${shopId}/wallet/entries`, { amount: -1, note: 'x' }),
      await manage(running, 'PATCH', `/shops/${shopId}/official-accounts/${unusedId()}`, { name: 'x' }),
      await manage(running, 'POST', `/shops/${shopId}/keys`, { name: '' }),
    ]
    expect(nothing.map(({ status }) => status)).toEqual([200, 409, 200, 200, 400, 404, 400])
    expect(await auditOf(shopId)).toEqual(before)
  })

  it('200 page by page, newest first, by action, of one shop only; and of all shops', async () => {
    const [one, other] = [await makeShop(running), await makeShop(running)]
    for (const name of ['a', 'b', 'c']) await manage(running, 'POST', `/shops/${one.shopId}/keys`, { name })
    const pages = await Promise.all(
      [1, 2, 3].map((page) => auditOf(one.shopId, `?limit=2&page=${page}&action=key.create`)),
    )
    expect(pages.map((page) => page.map(({ detail }) => detail.name))).toEqual([
      ['c', 'b'],
      ['a', 'First key'],
      [],
    ])
    expect((await auditOf(other.shopId)).every((entry) => entry.shopId === other.shopId)).toBe(true)
    const all = await manage(running, 'GET', '/audit?limit=100')
    const shops = new Set(all.body.data.map((entry: Entry) => entry.shopId))
    expect([shops.has(one.shopId), shops.has(other.shopId)]).toEqual([true, true])
    expect(all.body.meta).toMatchObject({ page: 1, limit: 100 })
  })

  it('200 each entry with the names of its shop and author, also after they are gone', async () => {
    const { deps } = running
    const name = `Tiệm ${unusedId()}`
    const made = await makeShop(running, { name })
    const owner = await makePerson(deps, { shopId: made.shopId, role: 'owner' })
    const visitor = await makePerson(deps, { isOperator: true })
    const leaver = await makePerson(deps, { isOperator: true })
    const path = `/shops/${made.shopId}`
    const sendAs = async (
      { email }: { email: string },
      method: 'POST' | 'PUT',
      address: string,
      body?: object,
    ) =>
      send(running, method, address, body, { cookie: await signIn(running, email), 'x-shop-id': made.shopId })
    const keys = `/api/manage/v1${path}/keys`
    expect((await sendAs(owner, 'POST', keys, { name: 'ERP' })).status).toBe(201)
    for (const person of [visitor, leaver])
      expect((await sendAs(person, 'PUT', `/api/console/v1/visits/${made.shopId}`)).status).toBe(200)
    await manage(running, 'PUT', `${path}/deletion`, { name })
    await sql`delete from users where id = ${leaver.id}`.execute(deps.db)
    const keyOfShop = (await manage(running, 'GET', `${path}/keys`)).body.data.find(
      (key: { name: string }) => key.name !== 'ERP',
    )
    // The embedded database's clock has milliseconds only: in one of them, the order would be by the ids.
    await sql`
      insert into audit_entries (shop_id, id, actor, actor_id, action, target, detail, created_at)
      values (${made.shopId}, ${unusedId()}, 'key', ${keyOfShop._id}, 'webhook.create', '{}', '{}', now() + interval '1 ms')`.execute(
      deps.db,
    )
    await sql`
      insert into operator_audit_entries (id, actor, action, target, detail, request_id, address, created_at)
      values (${unusedId()}, 'operator', 'shop.keep', ${{ shopId: unusedId() }}::jsonb, '{}', ${unusedId()}, '', now() + interval '2 ms')`.execute(
      deps.db,
    )
    const names = (entry: Entry) => [entry.action, entry.shopName, entry.actorName, entry.actorEmail]
    const all = (await manage(running, 'GET', '/audit?limit=7')).body.data
    expect(all.map(names)).toEqual([
      ['shop.keep', null, null, null],
      ['webhook.create', name, keyOfShop.name, null],
      ['shop.delete', name, null, null],
      ['shop.suspend', name, null, null],
      ['shop.visit', name, null, null],
      ['shop.visit', name, 'Người thử', visitor.email],
      ['key.create', name, 'Người thử', owner.email],
    ])
    expect((await auditOf(made.shopId, '?limit=5')).map(names)).toEqual([
      ['webhook.create', name, keyOfShop.name, null],
      ['shop.suspend', name, null, null],
      ['shop.visit', name, null, null],
      ['shop.visit', name, 'Người thử', null],
      ['key.create', name, 'Người thử', owner.email],
    ])
  })

  it('400 for an invalid page, limit or action', async () => {
    const { shopId } = await makeShop(running)
    for (const query of ['page=0', 'limit=101', 'page=10001', 'action=drop']) {
      for (const path of [`/shops/${shopId}/audit`, '/audit']) {
        expect([path, query, (await manage(running, 'GET', `${path}?${query}`)).status]).toEqual([
          path,
          query,
          400,
        ])
      }
    }
  })

  it('entries cannot be changed or deleted', async () => {
    const { shopId } = await makeShop(running)
    const { db } = running.database
    await expect(sql`delete from audit_entries where shop_id = ${shopId}`.execute(db)).rejects.toThrow(
      'append-only',
    )
    await expect(
      sql`update audit_entries set detail = '{}' where shop_id = ${shopId}`.execute(db),
    ).rejects.toThrow('append-only')
  })

  it('a change whose entry cannot be written is not made', async () => {
    const { shopId } = await makeShop(running)
    const { db } = running.database
    const before = await auditOf(shopId)
    const keys = (await manage(running, 'GET', `/shops/${shopId}/keys`)).body
    await sql`alter table audit_entries add constraint full_up check (detail->>'name' <> 'no room') not valid`.execute(
      db,
    )
    try {
      const refused = await manage(running, 'POST', `/shops/${shopId}/keys`, { name: 'no room' })
      expect(refused.status).toBe(500)
    } finally {
      await sql`alter table audit_entries drop constraint full_up`.execute(db)
    }
    expect((await manage(running, 'GET', `/shops/${shopId}/keys`)).body).toEqual(keys)
    expect(await auditOf(shopId)).toEqual(before)
  })
})
