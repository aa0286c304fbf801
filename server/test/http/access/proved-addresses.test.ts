import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { ask, invite, tokenIn } from '../../support/asking.ts'
import { makePerson, PASSWORD, signIn } from '../../support/members.ts'
import {
  eventually,
  makeShop,
  manage,
  type Service,
  separateService,
  unusedId,
} from '../../support/service.ts'
import { smtpServer } from '../../support/smtp.ts'

// Signing in is slow by design.
vi.setConfig({ testTimeout: 60_000 })

/** Decision 0017: the owner of an address is verified before rights are given to it. */
const running = await separateService()
const THIEFS = 'the password of a thief'

async function ownedShop(of: Service = running) {
  const { shopId } = await makeShop(of)
  const owner = await makePerson(of.deps, { shopId })
  return { shopId, owner, cookie: await signIn(of, owner.email) }
}

/** An account for somebody else's address, created by an owner who keeps the link. */
async function takenAddress() {
  const thief = await ownedShop()
  const email = `boss-${unusedId()}@people.example`
  const path = await invite(running, thief.shopId, { email, role: 'staff' }, thief.cookie)
  const body = { name: 'Kẻ trộm', password: THIEFS }
  expect((await ask(running, 'POST', `${path}/accept`, { body })).status).toBe(201)
  return { email, cookie: await signIn(running, email, THIEFS), shopId: thief.shopId, thief }
}

const shopsOf = async (cookie: string) =>
  (await ask(running, 'GET', '/api/console/v1/me', { cookie })).body.data.shops.map(
    ({ _id }: { _id: string }) => _id,
  )

describe('a new address', () => {
  it('that takes two invitations at the same moment gets one account; nothing fails', async () => {
    const shops = await Promise.all([ownedShop(), ownedShop(), ownedShop()])
    for (let round = 0; round < 3; round++) {
      const email = `new-${unusedId()}@people.example`
      const paths = await Promise.all(
        shops.map(({ shopId, cookie }) => invite(running, shopId, { email, role: 'staff' }, cookie)),
      )
      const body = { name: 'Mai', password: PASSWORD }
      const answers = await Promise.all(paths.map((path) => ask(running, 'POST', `${path}/accept`, { body })))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      const { rows } = await sql<{ n: number }>`
        select count(*)::integer as n from users where email = ${email}`.execute(running.deps.db)
      expect(rows[0]!.n).toBe(1)
    }
  })
})

describe('an address that was taken before its person came', () => {
  it('another shop’s invitation gives nothing to an existing session, with its link or without', async () => {
    const taken = await takenAddress()
    const other = await ownedShop()
    const path = await invite(running, other.shopId, { email: taken.email, role: 'owner' }, other.cookie)
    const shown = await ask(running, 'GET', path)
    expect(shown.body.data).toMatchObject({ hasAccount: true, mustProve: true })
    const bare = await ask(running, 'POST', `${path}/accept`, { body: {} })
    const signedIn = await ask(running, 'POST', `${path}/accept`, { cookie: taken.cookie, body: {} })
    const anew = await ask(running, 'POST', `${path}/accept`, { body: { name: 'Sếp', password: PASSWORD } })
    for (const answer of [bare, signedIn, anew])
      expect([answer.status, answer.body.code]).toEqual([403, 'ADDRESS_NOT_PROVED'])
    expect(await shopsOf(taken.cookie)).toEqual([taken.shopId])
    const keys = await ask(running, 'POST', `/api/manage/v1/shops/${other.shopId}/keys`, {
      cookie: taken.cookie,
      body: { name: 'x' },
    })
    expect(keys.status).toBe(401)
  })

  it('its person gets in by the operator’s link: the old session and password end, then the invitation is theirs', async () => {
    const taken = await takenAddress()
    const other = await ownedShop()
    const path = await invite(running, other.shopId, { email: taken.email, role: 'owner' }, other.cookie)
    const link = await manage(running, 'POST', '/reset-links', { email: taken.email })
    const body = { token: tokenIn(link.body.data.link), newPassword: PASSWORD }
    expect((await ask(running, 'POST', '/api/auth/reset-password', { body })).status).toBe(200)
    expect((await ask(running, 'GET', '/api/console/v1/me', { cookie: taken.cookie })).status).toBe(401)
    await expect(signIn(running, taken.email, THIEFS)).rejects.toThrow('401')
    const cookie = await signIn(running, taken.email)
    expect((await ask(running, 'POST', `${path}/accept`, { cookie, body: {} })).status).toBe(201)
    expect((await shopsOf(cookie)).toSorted()).toEqual([taken.shopId, other.shopId].toSorted())
  })

  it('an invitation by the operator resets the account: nothing of its former holder works on', async () => {
    const taken = await takenAddress()
    const { shopId } = await makeShop(running)
    const open = await manage(running, 'POST', '/reset-links', { email: taken.email })
    const path = await invite(running, shopId, { email: taken.email, role: 'owner' })
    expect((await ask(running, 'GET', path)).body.data).toMatchObject({ hasAccount: false, mustProve: false })
    const empty = await ask(running, 'POST', `${path}/accept`, { cookie: taken.cookie, body: {} })
    expect([empty.status, empty.body.validation?.body.keys]).toEqual([400, ['name']])
    const body = { name: 'Sếp', password: PASSWORD }
    expect((await ask(running, 'POST', `${path}/accept`, { body })).status).toBe(201)
    expect((await ask(running, 'GET', '/api/console/v1/me', { cookie: taken.cookie })).status).toBe(401)
    await expect(signIn(running, taken.email, THIEFS)).rejects.toThrow('401')
    const reset = { token: tokenIn(open.body.data.link), newPassword: THIEFS }
    expect((await ask(running, 'POST', '/api/auth/reset-password', { body: reset })).status).toBe(400)
    const cookie = await signIn(running, taken.email)
    const me = await ask(running, 'GET', '/api/console/v1/me', { cookie })
    expect(me.body.data.user.name).toBe('Sếp')
    expect(await shopsOf(cookie)).toContain(shopId)
  })

  it('the shop that invited it may give it another role', async () => {
    const taken = await takenAddress()
    const path = await invite(
      running,
      taken.shopId,
      { email: taken.email, role: 'owner' },
      taken.thief.cookie,
    )
    expect((await ask(running, 'POST', `${path}/accept`, { cookie: taken.cookie, body: {} })).status).toBe(
      201,
    )
  })

  it('becoming an operator ends the sessions, the password and the reset links there were', async () => {
    const taken = await takenAddress()
    const open = await manage(running, 'POST', '/reset-links', { email: taken.email })
    const made = await manage(running, 'POST', '/operators', { email: taken.email, name: 'Sếp' })
    expect((await ask(running, 'GET', '/api/manage/v1/shops', { cookie: taken.cookie })).status).toBe(401)
    expect((await ask(running, 'GET', '/api/console/v1/me', { cookie: taken.cookie })).status).toBe(401)
    await expect(signIn(running, taken.email, THIEFS)).rejects.toThrow('401')
    const reset = (link: string) =>
      ask(running, 'POST', '/api/auth/reset-password', {
        body: { token: tokenIn(link), newPassword: PASSWORD },
      })
    expect((await reset(open.body.data.link)).status).toBe(400)
    expect((await reset(made.body.data.link)).status).toBe(200)
    const cookie = await signIn(running, taken.email)
    expect((await ask(running, 'GET', '/api/manage/v1/shops', { cookie })).status).toBe(200)
  })

  it('nor is a session or password kept that is made while its account becomes an operator’s', async () => {
    const taken = await takenAddress()
    const tries = Array.from({ length: 4 }, () => signIn(running, taken.email, THIEFS).catch(() => undefined))
    const change = ask(running, 'POST', '/api/auth/change-password', {
      cookie: taken.cookie,
      body: { currentPassword: THIEFS, newPassword: 'another of the thief' },
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await manage(running, 'POST', '/operators', { email: taken.email, name: 'Sếp' })
    await change
    for (const cookie of await Promise.all(tries)) {
      if (cookie === undefined) continue
      expect((await ask(running, 'GET', '/api/manage/v1/shops', { cookie })).status).toBe(401)
    }
    await expect(signIn(running, taken.email, 'another of the thief')).rejects.toThrow('401')
  })
})

describe('an invitation to an account', () => {
  it('is taken by signing in as it: not by the link alone, nor as somebody else, nor from another site’s page', async () => {
    const person = await makePerson(running.deps)
    const other = await makePerson(running.deps)
    const { shopId, cookie: owners } = await ownedShop()
    const path = await invite(running, shopId, { email: person.email, role: 'staff' }, owners)
    expect((await ask(running, 'GET', path)).body.data).toMatchObject({ hasAccount: true, mustProve: false })
    expect((await ask(running, 'POST', `${path}/accept`, { body: {} })).status).toBe(401)
    const made = await ask(running, 'POST', `${path}/accept`, { body: { name: 'X', password: PASSWORD } })
    expect(made.status).toBe(401)
    const wrong = await ask(running, 'POST', `${path}/accept`, {
      cookie: await signIn(running, other.email),
      body: {},
    })
    expect([wrong.status, wrong.body.code]).toEqual([403, 'INVITATION_FOR_ANOTHER'])
    expect(wrong.body.message).toContain(other.email)
    const cookie = await signIn(running, person.email)
    const foreign = await running.app.inject({
      method: 'POST',
      url: `${path}/accept`,
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
      payload: {},
    })
    expect([foreign.statusCode, foreign.json().code]).toEqual([403, 'CROSS_SITE_REQUEST'])
    expect((await ask(running, 'POST', `${path}/accept`, { cookie, body: {} })).status).toBe(201)
    expect(await shopsOf(cookie)).toEqual([shopId])
  })
})

describe('G-61 with mail set up', () => {
  it('an owner’s invitation goes to its address alone, and proves it', async () => {
    const { url, mails } = await smtpServer()
    const mail = { smtpUrl: url, from: 'no-reply@shop.example', publicUrl: 'https://shop.example' }
    const mailing = await separateService({ mail })
    const { shopId, cookie } = await ownedShop(mailing)
    const email = 'boss@people.example'
    const invited = await ask(mailing, 'POST', `/api/manage/v1/shops/${shopId}/invitations`, {
      cookie,
      body: { email, role: 'staff' },
    })
    expect([invited.status, invited.body.data.link]).toEqual([201, null])
    const [sent] = await eventually(async () => mails.length > 0 && mails)
    expect(sent!.to).toBe(email)
    const token = tokenIn(/https:\S+/.exec(sent!.text)![0])
    const body = { name: 'Sếp', password: PASSWORD }
    const accepted = await ask(mailing, 'POST', `/api/console/v1/invitations/${token}/accept`, { body })
    expect(accepted.status).toBe(201)
    const { rows } = await sql<{ email_verified: boolean }>`
      select email_verified from users where email = ${email}`.execute(mailing.database.db)
    expect(rows).toEqual([{ email_verified: true }])
  })
})
