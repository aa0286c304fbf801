import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makePerson, PASSWORD, signIn } from '../../support/members.ts'
import { makeShop, manage, send, separateService, unusedId } from '../../support/service.ts'

const running = await separateService()
const { db } = running.database

const auditOf = async (query = '') => (await manage(running, 'GET', `/audit?limit=100${query}`)).body.data
const operatorEntries = async () =>
  (await auditOf()).filter(({ shopId }: { shopId: string | null }) => shopId === null)
const asOperator = (cookie: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  send(running, method, `/api/manage/v1${path}`, body, { cookie })

async function operators(): Promise<string[]> {
  const { body } = await manage(running, 'GET', '/operators')
  return body.data.map(({ email }: { email: string }) => email)
}

describe('G-61 operators', () => {
  it('making one and taking it away again, with an entry each that names who did it, and no link', async () => {
    const chief = await makePerson(running.deps, { isOperator: true })
    const cookie = await signIn(running, chief.email)
    const email = 'nguoi.moi@people.example'
    const made = await asOperator(cookie, 'POST', '/operators', { email, name: 'Người mới' })
    expect(made.status).toBe(201)
    const token = made.body.data.link.split('token=')[1]
    expect(await operators()).toEqual([chief.email, email].sort())
    const reset = { token, newPassword: PASSWORD }
    expect((await send(running, 'POST', '/api/auth/reset-password', reset)).status).toBe(200)
    const own = await signIn(running, email)
    expect((await asOperator(own, 'GET', '/shops')).status).toBe(200)

    const { rows } = await sql<{ id: string }>`select id from users where email = ${email}`.execute(db)
    const userId = rows[0]!.id
    const removed = await manage(running, 'DELETE', `/operators/${userId}`)
    expect([removed.status, removed.body.data.operator]).toEqual([
      200,
      { _id: userId, name: 'Người mới', email },
    ])
    expect(await operators()).toEqual([chief.email])
    await expect
      .poll(async () => (await asOperator(own, 'GET', '/shops')).status, { timeout: 8_000 })
      .toBe(401)

    const entries = await operatorEntries()
    expect(entries).toMatchObject([
      { action: 'operator.remove', actor: 'operator', actorId: null, target: { userId }, detail: { email } },
      { action: 'reset_link.create', actor: 'member', actorId: chief.id, target: { userId } },
      { action: 'operator.add', actor: 'member', actorId: chief.id, target: { userId }, detail: { email } },
    ])
    expect(entries[2]).toMatchObject({ requestId: made.headers['x-request-id'], address: '127.0.0.1' })
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  it('a handed out reset link is noted, also for one who is an operator already; 404 is not', async () => {
    const person = await makePerson(running.deps, { isOperator: true })
    const before = (await operatorEntries()).length
    expect((await manage(running, 'POST', '/reset-links', { email: person.email })).status).toBe(201)
    const again = { email: person.email, name: 'Tên khác' }
    expect((await manage(running, 'POST', '/operators', again)).status).toBe(201)
    expect((await manage(running, 'POST', '/reset-links', { email: 'khong@co.example' })).status).toBe(404)
    expect((await manage(running, 'DELETE', `/operators/${unusedId()}`)).status).toBe(404)
    const entries = (await operatorEntries()).slice(0, -before)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'reset_link.create',
      'reset_link.create',
    ])
  })

  it('the log of all mixes them with the shops’, page by page; a shop’s own log has none of them', async () => {
    const { shopId } = await makeShop(running)
    const person = await makePerson(running.deps)
    await manage(running, 'POST', '/reset-links', { email: person.email })
    await manage(running, 'PATCH', `/shops/${shopId}`, { name: 'Tên mới' })
    const whole = await auditOf()
    expect(whole.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'shop.update',
      'reset_link.create',
    ])
    const paged = []
    for (let page = 1, hasMore = true; hasMore; page += 1) {
      const { body } = await manage(running, 'GET', `/audit?limit=2&page=${page}`)
      paged.push(...body.data)
      hasMore = body.meta.hasMore
    }
    expect(paged).toEqual(whole)
    const links = await auditOf('&action=reset_link.create')
    expect(new Set(links.map(({ action }: { action: string }) => action))).toEqual(
      new Set(['reset_link.create']),
    )
    const own = await manage(running, 'GET', `/shops/${shopId}/audit`)
    expect(own.body.data.every((entry: { shopId: string }) => entry.shopId === shopId)).toBe(true)
    const wrong = await manage(running, 'GET', `/shops/${shopId}/audit?action=operator.add`)
    expect(wrong.status).toBe(400)
  })

  it('401 for an owner; entries cannot be changed; a change without its entry is not made', async () => {
    const { shopId } = await makeShop(running)
    const owner = await makePerson(running.deps, { shopId, role: 'owner' })
    const cookie = await signIn(running, owner.email)
    expect((await asOperator(cookie, 'GET', '/operators')).status).toBe(401)
    expect((await asOperator(cookie, 'DELETE', `/operators/${unusedId()}`)).status).toBe(401)
    await expect(sql`delete from operator_audit_entries`.execute(db)).rejects.toThrow('append-only')
    await sql`alter table operator_audit_entries add constraint full_up check (detail->>'email' <> ${sql.lit(owner.email)}) not valid`.execute(
      db,
    )
    const refused = await manage(running, 'POST', '/operators', { email: owner.email, name: 'X' })
    await sql`alter table operator_audit_entries drop constraint full_up`.execute(db)
    expect(refused.status).toBe(500)
    expect(await operators()).not.toContain(owner.email)
  })
})
