import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findTokens } from '../../../src/modules/official-accounts/tokens/sql.ts'
import { deleteOldRecords } from '../../../src/process/retention/retention.ts'
import { ask } from '../../support/asking.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, manage, type Partner, send, separateService } from '../../support/service.ts'
import { control } from '../../support/templates.ts'

const running = await separateService()
const { db, secrets } = running.deps
const APP = { appId: 'simulator', name: 'Ứng dụng', appSecret: 'the-app-secret', oaSecretKey: 'the-oa-key' }
await manage(running, 'POST', '/platform-apps', { ...APP, appId: 'another', appSecret: 'other' })
await manage(running, 'DELETE', '/platform-apps/another')

/** A signed-in owner of a new shop. */
async function owner(shop?: Partner) {
  const partner = shop ?? (await makeShop(running))
  const { shopId } = partner
  const cookie = await signIn(running, (await makePerson(running.deps, { shopId })).email)
  const path = `/api/manage/v1/shops/${shopId}/official-accounts/connect`
  const start = (by = cookie) => ask(running, 'POST', path, { cookie: by, body: {} })
  const finish = (body: object, by = cookie) => ask(running, 'POST', `${path}/finish`, { cookie: by, body })
  return { partner, shopId, cookie, path, start, finish }
}

/** The parameters with which the browser returns after the owner has consented for an account. */
async function consent(address: string, oaId: string) {
  const url = new URL(address)
  const form = new URLSearchParams({ ...Object.fromEntries(url.searchParams), oa_id: oaId, answer: 'allow' })
  const answer = await fetch(url.origin + url.pathname, { method: 'POST', body: form, redirect: 'manual' })
  const back = new URL(answer.headers.get('location')!)
  const { code, state, oa_id } = Object.fromEntries(back.searchParams)
  return { back, came: { code: code!, state: state!, oaId: oa_id! } }
}

async function begun() {
  const one = await owner()
  const { body } = await one.start()
  const oaId = `oa-${one.shopId}`
  return { ...one, oaId, address: body.data.address as string, ...(await consent(body.data.address, oaId)) }
}

describe('G-72 connecting an account', () => {
  it('409 NO_PLATFORM_APP on a platform of which no app is set', async () => {
    const { simulatorUrl: url } = running
    const real = await separateService({ platform: { businessUrl: url, openapiUrl: url, oauthUrl: url } })
    const { shopId } = await makeShop(real)
    const cookie = await signIn(real, (await makePerson(real.deps, { shopId })).email)
    const path = `/api/manage/v1/shops/${shopId}/official-accounts/connect`
    const answer = await ask(real, 'POST', path, { cookie, body: {} })
    expect([answer.status, answer.body.code]).toEqual([409, 'NO_PLATFORM_APP'])
  })

  it('200 linked with the platform’s name, the pair sealed with its times, and the app; an entry of the audit log', async () => {
    await manage(running, 'POST', '/platform-apps', APP)
    await control(running, '/settings', { appSecret: 'the-app-secret' })
    const { shopId, oaId, came, back, partner, finish, address } = await begun()
    expect(new URL(address).searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(back.pathname).toBe('/oauth/platform/callback')
    await control(running, '/settings', { oaId, name: 'Tiệm Nến' })
    const { status, body } = await finish(came)
    expect([status, body.data]).toMatchObject([
      200,
      { oaId, name: 'Tiệm Nến', appId: 'simulator', hasSecretKey: true, hasRefreshToken: true },
    ])
    const row = await findTokens(db, shopId, oaId)
    expect(secrets.open(row!.access_token!)).toMatch(/^sima-/)
    const { rows } = await sql<{ access: number; refresh: number }>`
      select extract(epoch from access_token_until - now())::float8 / 3600 as access,
        extract(epoch from refresh_token_until - now())::float8 / 86400 as refresh
      from official_accounts where shop_id = ${shopId}`.execute(db)
    expect([Math.round(rows[0]!.access), Math.round(rows[0]!.refresh)]).toEqual([25, 90])
    expect((await partner.get('/api/external/official-accounts')).body.data).toMatchObject([
      { name: 'Tiệm Nến', status: 'CONNECTED' },
    ])
    const audit = await manage(running, 'GET', `/shops/${shopId}/audit`)
    expect(audit.body.data[0]).toMatchObject({
      action: 'official_account.connect',
      actor: 'member',
      detail: { oaId, name: 'Tiệm Nến', appId: 'simulator' },
    })
  })

  it('409 CONNECT_EXPIRED for a state that is used, made up, another shop’s, another session’s or ten minutes old', async () => {
    const one = await begun()
    const other = await owner()
    const colleague = await owner(one.partner)
    const madeUp = { ...one.came, state: `${one.shopId}.${randomBytes(32).toString('base64url')}` }
    const attempts = [
      await one.finish(madeUp),
      await other.finish(one.came),
      await colleague.finish(one.came),
    ]
    expect(attempts.map(({ status, body }) => [status, body.code])).toEqual(
      attempts.map(() => [409, 'CONNECT_EXPIRED']),
    )
    // None of these attempts has used the code.
    expect((await one.finish(one.came)).status).toBe(200)
    expect((await one.finish(one.came)).body.code).toBe('CONNECT_EXPIRED')

    const late = await begun()
    await sql`
      update account_connects set expires_at = now() - interval '1 second' where shop_id = ${late.shopId}`.execute(
      db,
    )
    expect((await late.finish(late.came)).body.code).toBe('CONNECT_EXPIRED')
    expect(await deleteOldRecords(running.deps, 'accounts being connected')).toBe(1)
  })

  it('409 CONNECT_REFUSED for a code that the platform does not know, and nothing is linked', async () => {
    const { came, finish, partner } = await begun()
    const answer = await finish({ ...came, code: 'made-up' })
    expect([answer.status, answer.body.code]).toEqual([409, 'CONNECT_REFUSED'])
    expect((await partner.get('/api/external/official-accounts')).body.data).toEqual([])
  })

  it('409 OA_LINKED_ELSEWHERE for the account of another shop, also where the address bar names another one', async () => {
    const one = await begun()
    await one.finish(one.came)
    const before = await findTokens(db, one.shopId, one.oaId)
    const other = await owner()
    for (const oaId of [one.oaId, 'another-oa']) {
      const { came } = await consent((await other.start()).body.data.address, one.oaId)
      const answer = await other.finish({ ...came, oaId })
      expect([answer.status, answer.body.code]).toEqual([409, 'OA_LINKED_ELSEWHERE'])
    }
    expect((await other.partner.get('/api/external/official-accounts')).body.data).toEqual([])
    expect(await findTokens(db, one.shopId, one.oaId)).toEqual(before)
  })

  it('two shops that connect one account at once: one has it', async () => {
    const [one, other] = [await owner(), await owner()]
    const came = await Promise.all(
      [one, other].map(
        async (each) => (await consent((await each.start()).body.data.address, 'oa-of-both')).came,
      ),
    )
    const answers = await Promise.all([one.finish(came[0]!), other.finish(came[1]!)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('503 while the platform is away', async () => {
    const { came, finish } = await begun()
    await control(running, '/faults', [{ kind: '5xx', endpoint: '/v4/oa/access_token', share: 1 }])
    const answer = await finish(came)
    await control(running, '/faults', [])
    expect(answer.status).toBe(503)
  })

  it('401 for the operator’s token, which is not a session, for staff and for another shop’s owner', async () => {
    const { path, shopId } = await owner()
    const staff = await makePerson(running.deps, { shopId, role: 'staff' })
    const answers = [
      await manage(running, 'POST', path.replace('/api/manage/v1', ''), {}),
      await ask(running, 'POST', path, { cookie: await signIn(running, staff.email), body: {} }),
      await ask(running, 'POST', path, { cookie: (await owner()).cookie, body: {} }),
      await send(running, 'POST', path, {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })
})
