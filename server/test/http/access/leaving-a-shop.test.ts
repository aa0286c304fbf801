import { describe, expect, it, vi } from 'vitest'
import { upsertMember } from '../../../src/modules/access/members/sql.ts'
import { ask, invite } from '../../support/asking.ts'
import { makePerson, PASSWORD, signIn } from '../../support/members.ts'
import { makeShop, manage, separateService, unusedId } from '../../support/service.ts'

// Signing in is slow by design.
vi.setConfig({ testTimeout: 60_000 })

const running = await separateService()

async function shopWithOwners() {
  const shop = await makeShop(running)
  const owner = await makePerson(running.deps, { shopId: shop.shopId })
  const leaving = await makePerson(running.deps, { shopId: shop.shopId })
  const cookies = { owner: await signIn(running, owner.email), leaving: await signIn(running, leaving.email) }
  return { ...shop, owner, leaving, cookies, manageUrl: `/api/manage/v1/shops/${shop.shopId}` }
}

/** An open invitation to the leaving owner, made while they were a viewer: an owner is not invited. */
async function inviteLeaving(
  { shopId, leaving }: Awaited<ReturnType<typeof shopWithOwners>>,
  role: 'owner' | 'staff',
  cookie?: string,
): Promise<string> {
  const become = (now: 'viewer' | 'owner') =>
    upsertMember(running.deps.db, shopId, { userId: leaving.id, role: now, by: null, now: new Date() })
  await become('viewer')
  const path = await invite(running, shopId, { email: leaving.email, role }, cookie)
  await become('owner')
  return path
}

describe('G-61 a removed member', () => {
  it('their open invitations end, and those they made; those that others made and of other shops stay', async () => {
    const shop = await shopWithOwners()
    const { shopId, leaving, cookies, manageUrl } = shop
    const other = await makeShop(running)
    const own = [
      await inviteLeaving(shop, 'owner', cookies.owner),
      await inviteLeaving(shop, 'staff', cookies.owner),
    ]
    const made = [
      await invite(running, shopId, { email: 'nguoi.quen@people.example', role: 'owner' }, cookies.leaving),
    ]
    const kept = [
      await invite(running, shopId, { email: 'nguoi.khac@people.example', role: 'staff' }, cookies.owner),
      await invite(running, other.shopId, { email: leaving.email, role: 'staff' }),
    ]
    const removed = await ask(running, 'DELETE', `${manageUrl}/members/${leaving.id}`, {
      cookie: cookies.owner,
    })
    expect(removed.status).toBe(200)
    for (const path of own) {
      const answer = await ask(running, 'POST', `${path}/accept`, { cookie: cookies.leaving, body: {} })
      expect(answer.status).toBe(404)
    }
    const stranger = { body: { name: 'Quen', password: PASSWORD } }
    for (const path of made) {
      expect((await ask(running, 'GET', path)).status).toBe(404)
      expect((await ask(running, 'POST', `${path}/accept`, stranger)).status).toBe(404)
    }
    const { body } = await manage(running, 'GET', `/shops/${shopId}/members`)
    expect(body.data.invitations.map(({ email }: { email: string }) => email)).toEqual([
      'nguoi.khac@people.example',
    ])
    for (const path of kept) expect((await ask(running, 'GET', path)).status).toBe(200)
  })

  it('nor do they work for an owner who becomes a viewer, not even one that another owner made', async () => {
    const shop = await shopWithOwners()
    const { shopId, leaving, cookies, manageUrl } = shop
    const links = [
      await inviteLeaving(shop, 'owner'),
      await inviteLeaving(shop, 'owner', cookies.owner),
      await invite(running, shopId, { email: 'nguoi.quen@people.example', role: 'owner' }, cookies.leaving),
    ]
    const member = `${manageUrl}/members/${leaving.id}`
    const demoted = await ask(running, 'PATCH', member, { cookie: cookies.owner, body: { role: 'viewer' } })
    expect(demoted.status).toBe(200)
    for (const path of links) {
      const answer = await ask(running, 'POST', `${path}/accept`, { cookie: cookies.leaving, body: {} })
      expect(answer.status).toBe(404)
    }
  })

  it('does not stay by an invitation taken at the same time', async () => {
    const shop = await shopWithOwners()
    const { shopId, leaving, cookies, manageUrl } = shop
    const path = await inviteLeaving(shop, 'owner')
    await Promise.all([
      ask(running, 'DELETE', `${manageUrl}/members/${leaving.id}`, { cookie: cookies.owner }),
      ask(running, 'POST', `${path}/accept`, { cookie: cookies.leaving, body: {} }),
    ])
    const { body } = await manage(running, 'GET', `/shops/${shopId}/members`)
    expect(body.data.members.map(({ _id }: { _id: string }) => _id)).not.toContain(leaving.id)
  })

  it('the keys they issued are listed, also when they are an owner no more, and one call revokes them all at once, and no other', async () => {
    const { shopId, apiKey, leaving, cookies, manageUrl } = await shopWithOwners()
    const issue = async (cookie: string, name: string) =>
      (await ask(running, 'POST', `${manageUrl}/keys`, { cookie, body: { name } })).body.data
    const first = await issue(cookies.leaving, 'ERP')
    const second = await issue(cookies.owner, 'Sàn')
    const rotated = await ask(running, 'POST', `${manageUrl}/keys/${second.key._id}/rotate`, {
      cookie: cookies.leaving,
      body: { overlapSeconds: 0 },
    })
    const gone = await issue(cookies.leaving, 'Cũ')
    await manage(running, 'DELETE', `/shops/${shopId}/keys/${gone.key._id}`)
    const third = await issue(cookies.owner, 'POS')
    const works = async (key: string) =>
      (
        await running.app.inject({
          url: '/api/external/wallet',
          headers: { 'x-api-key': `service-partner ${key}` },
        })
      ).statusCode === 200
    const keys = [first.apiKey, rotated.body.data.apiKey, third.apiKey, apiKey]
    for (const key of keys) expect(await works(key)).toBe(true)

    const member = `${manageUrl}/members/${leaving.id}`
    const changeTo = async (role: string) =>
      (await ask(running, 'PATCH', member, { cookie: cookies.owner, body: { role } })).body.data.keys
    const listed = await changeTo('staff')
    expect(listed.map(({ name }: { name: string }) => name).toSorted()).toEqual(['ERP', 'Sàn'])
    expect(await changeTo('owner')).toEqual([])
    const removed = await ask(running, 'DELETE', member, { cookie: cookies.owner })
    expect(removed.body.data.keys).toEqual(listed)
    expect(listed[0]).toEqual({
      _id: expect.any(String),
      name: expect.any(String),
      prefix: expect.any(String),
      lastUsedAt: expect.anything(),
    })
    const path = `${manageUrl}/members/${leaving.id}/keys`
    expect((await ask(running, 'DELETE', path, { cookie: cookies.leaving })).status).toBe(401)
    const revoked = await ask(running, 'DELETE', path, { cookie: cookies.owner })
    expect([revoked.status, revoked.body.data.keys.length]).toEqual([200, 2])
    expect(await Promise.all(keys.map(works))).toEqual([false, false, true, true])
    const again = await ask(running, 'DELETE', path, { cookie: cookies.owner })
    expect([again.status, again.body.data.keys]).toEqual([200, []])
    const audit = await manage(running, 'GET', `/shops/${shopId}/audit?action=key.revoke`)
    expect(audit.body.data).toHaveLength(3)
  })
})

describe('G-61 an invitation to who is a member already', () => {
  it('409 ALREADY_MEMBER for the same role or a lower one; an earlier one is refused as ROLE_HIGHER, and its link stays open', async () => {
    const { shopId } = await makeShop(running)
    const email = `${unusedId()}@owner.example`
    const lower = await invite(running, shopId, { email, role: 'viewer' })
    const higher = await invite(running, shopId, { email, role: 'owner' })
    const account = { name: 'X', password: PASSWORD }
    expect((await ask(running, 'POST', `${higher}/accept`, { body: account })).status).toBe(201)
    const cookie = await signIn(running, email)
    const refused = await ask(running, 'POST', `${lower}/accept`, { cookie, body: {} })
    expect([refused.status, refused.body.code]).toEqual([409, 'ROLE_HIGHER'])
    expect((await ask(running, 'GET', lower)).status).toBe(200)
    for (const role of ['viewer', 'owner']) {
      const again = await manage(running, 'POST', `/shops/${shopId}/invitations`, {
        email: email.toUpperCase(),
        role,
      })
      expect([role, again.status, again.body.code]).toEqual([role, 409, 'ALREADY_MEMBER'])
    }
    const { body } = await manage(running, 'GET', `/shops/${shopId}/members`)
    expect(body.data.members.map(({ role }: { role: string }) => role)).toEqual(['owner'])
  })

  it('a higher role is taken, and felt by the next request', async () => {
    const { shopId } = await makeShop(running)
    const viewer = await makePerson(running.deps, { shopId, role: 'viewer' })
    const cookie = await signIn(running, viewer.email)
    const keys = `/api/manage/v1/shops/${shopId}/keys`
    expect((await ask(running, 'GET', keys, { cookie })).status).toBe(401)
    const path = await invite(running, shopId, { email: viewer.email, role: 'owner' })
    const body = { name: 'X', password: PASSWORD }
    expect((await ask(running, 'POST', `${path}/accept`, { cookie, body })).status).toBe(201)
    expect((await ask(running, 'GET', keys, { cookie })).status).toBe(200)
  })
})
