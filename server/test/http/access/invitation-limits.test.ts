import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { ask } from '../../support/asking.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, manage, separateService } from '../../support/service.ts'

// Signing in is slow by design.
vi.setConfig({ testTimeout: 60_000 })

const running = await separateService({ sessionRatePerMinute: 30 })

async function shopOfOwner() {
  const { shopId } = await makeShop(running)
  const owner = await makePerson(running.deps, { shopId })
  const cookie = await signIn(running, owner.email)
  return { shopId, cookie, path: `/api/manage/v1/shops/${shopId}` }
}

describe('G-61 how many invitations a shop makes within 24 hours', () => {
  it('three to one address, also after they are revoked; other addresses and shops are not affected', async () => {
    const { shopId } = await makeShop(running)
    const invite = (email: string, shop = shopId) =>
      manage(running, 'POST', `/shops/${shop}/invitations`, { email, role: 'staff' })
    for (let n = 0; n < 3; n++) {
      const { status, body } = await invite('khach@people.example')
      expect(status).toBe(201)
      await manage(running, 'DELETE', `/shops/${shopId}/invitations/${body.data.invitation._id}`)
    }
    const fourth = await invite('Khach@people.example')
    expect([fourth.status, fourth.body.code]).toEqual([409, 'TOO_MANY_INVITATIONS'])
    expect(fourth.body.message).toContain('3')
    expect((await invite('khac@people.example')).status).toBe(201)
    const other = await makeShop(running)
    expect((await invite('khach@people.example', other.shopId)).status).toBe(201)
    const before = new Date(running.deps.clock.now().getTime() - 86_400_001)
    await sql`update invitations set created_at = ${before} where shop_id = ${shopId}`.execute(
      running.deps.db,
    )
    expect((await invite('khach@people.example')).status).toBe(201)
  })

  it('fifty in all', async () => {
    const { shopId } = await makeShop(running)
    const answers = []
    for (let n = 0; n < 51; n++) {
      const body = { email: `nguoi${n}@people.example`, role: 'viewer' }
      answers.push((await manage(running, 'POST', `/shops/${shopId}/invitations`, body)).status)
    }
    expect(answers).toEqual([...Array(50).fill(201), 409])
  })
})

describe('the limit of a session', () => {
  it('holds for the management API too, together with the external one; the operator’s token has none', async () => {
    const { shopId, cookie, path } = await shopOfOwner()
    const manageKeys = async () => (await ask(running, 'GET', `${path}/keys`, { cookie })).status
    const readWallet = async () => {
      const headers = { cookie, 'x-shop-id': shopId }
      return (await running.app.inject({ url: '/api/external/wallet', headers })).statusCode
    }
    const answers = []
    for (let n = 0; n < 15; n++) answers.push(await manageKeys(), await readWallet())
    expect(answers).toEqual(Array(30).fill(200))
    expect([await manageKeys(), await readWallet()]).toEqual([429, 429])
    for (let n = 0; n < 31; n++) expect((await manage(running, 'GET', `/shops/${shopId}`)).status).toBe(200)
  })
})
