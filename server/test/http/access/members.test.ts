import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { makePerson, PASSWORD, signIn } from '../../support/members.ts'
import { makeShop, manage, service } from '../../support/service.ts'

const running = await service()

async function send(
  cookie: string,
  method: InjectOptions['method'],
  url: string,
  options: { shopId?: string; body?: object; headers?: Record<string, string> } = {},
) {
  const response = await running.app.inject({
    method: method!,
    url,
    headers: {
      cookie,
      ...(options.shopId === undefined ? {} : { 'x-shop-id': options.shopId }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { payload: options.body }),
  })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

async function member(role: 'owner' | 'staff' | 'viewer') {
  const shop = await makeShop(running)
  const person = await makePerson(running.deps, { shopId: shop.shopId, role })
  return { shop, person, cookie: await signIn(running, person.email) }
}

const CUSTOMERS = '/api/external/v1/customers'

describe('a session in place of a key', () => {
  it('200 on the external API for the member’s shop, with a budget of the member’s own', async () => {
    const { shop, cookie } = await member('staff')
    const { status, headers } = await send(cookie, 'GET', CUSTOMERS, { shopId: shop.shopId })
    expect(status).toBe(200)
    expect(headers['ratelimit-policy']).toMatch(/^"member";q=600/)
  })

  it('401 without x-shop-id, for a shop the person is not in, and for a made-up cookie', async () => {
    const { shop, cookie } = await member('owner')
    const other = await makeShop(running)
    const answers = [
      await send(cookie, 'GET', CUSTOMERS),
      await send(cookie, 'GET', CUSTOMERS, { shopId: other.shopId }),
      await send('shopbell.session_token=made.up', 'GET', CUSTOMERS, { shopId: shop.shopId }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(answers[1]!.body).toEqual(answers[2]!.body)
  })

  it('403 SCOPE_MISSING when a viewer changes anything; reading is theirs', async () => {
    const { shop, cookie } = await member('viewer')
    const body = { fullName: 'Không được' }
    const { status, body: answer } = await send(cookie, 'POST', CUSTOMERS, { shopId: shop.shopId, body })
    expect([status, answer.code]).toEqual([403, 'SCOPE_MISSING'])
    expect((await send(cookie, 'GET', CUSTOMERS, { shopId: shop.shopId })).status).toBe(200)
  })

  it('403 CROSS_SITE_REQUEST for a change that another site’s page asks for', async () => {
    const { shop, cookie } = await member('owner')
    const asked = { shopId: shop.shopId, body: { fullName: 'Kẻ lạ' } }
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of foreign) {
      const { status, body } = await send(cookie, 'POST', CUSTOMERS, { ...asked, headers })
      expect([status, body.code]).toEqual([403, 'CROSS_SITE_REQUEST'])
    }
    const own = await send(cookie, 'POST', CUSTOMERS, {
      ...asked,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(own.status).toBe(201)
  })

  it('ends with the sign-out, at once', async () => {
    const { shop, cookie } = await member('owner')
    expect((await send(cookie, 'GET', CUSTOMERS, { shopId: shop.shopId })).status).toBe(200)
    expect((await send(cookie, 'POST', '/api/auth/sign-out', { body: {} })).status).toBe(200)
    expect((await send(cookie, 'GET', CUSTOMERS, { shopId: shop.shopId })).status).toBe(401)
  })

  it('401 for a wrong password, and there is no self sign-up', async () => {
    const { email } = await makePerson(running.deps)
    await expect(signIn(running, email, 'not the password')).rejects.toThrow('401')
    const body = { email: 'me@people.example', password: PASSWORD, name: 'Tự vào' }
    expect((await send('', 'POST', '/api/auth/sign-up/email', { body })).status).toBe(404)
  })

  it.each(['an', '', 'an@people', 'ngườ@people.example', 'an@people.example '])(
    '400 naming the field for the email “%s”',
    async (email) => {
      const response = await running.app.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        remoteAddress: '10.9.8.7',
        payload: { email, password: PASSWORD },
      })
      expect(response.statusCode).toBe(400)
      expect(response.json().validation.body).toEqual({
        source: 'body',
        keys: ['email'],
        message: '"email" must be a valid email',
      })
    },
  )
})

describe('G-61 management by session', () => {
  it('an owner sees to the keys, members and audit log of the own shop, not of another, nor to the wallet', async () => {
    const { shop, cookie } = await member('owner')
    const other = await makeShop(running)
    const own = `/api/manage/v1/shops/${shop.shopId}`
    const key = await send(cookie, 'POST', `${own}/keys`, { body: { name: 'Từ trang quản trị' } })
    expect(key.status).toBe(201)
    const audit = await send(cookie, 'GET', `${own}/audit`)
    expect(audit.body.data[0]).toMatchObject({ action: 'key.create', actor: 'member' })
    const refused = [
      await send(cookie, 'GET', `/api/manage/v1/shops/${other.shopId}/keys`),
      await send(cookie, 'GET', '/api/manage/v1/shops'),
      await send(cookie, 'POST', `${own}/wallet/entries`, { body: { amount: 1_000_000 } }),
      await send(cookie, 'POST', '/api/manage/v1/operators', { body: { email: 'x@y.z', name: 'X' } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  it('staff and viewers reach none of it, an operator all of it', async () => {
    const { shop, cookie } = await member('staff')
    const keys = `/api/manage/v1/shops/${shop.shopId}/keys`
    expect((await send(cookie, 'GET', keys)).status).toBe(401)
    const operator = await makePerson(running.deps, { isOperator: true })
    const session = await signIn(running, operator.email)
    expect((await send(session, 'GET', keys)).status).toBe(200)
    expect((await send(session, 'GET', '/api/manage/v1/shops')).status).toBe(200)
  })
})

describe('G-61 members', () => {
  it.each([
    ['an@people.example', true],
    ["o'neil+1@mail.people.example", true],
    ['AN@People.Example', true],
    ['an@people', false],
    ['ngườ@people.example', false],
    ['an..b@people.example', false],
    ['.an@people.example', false],
    ['an.@people.example', false],
    ['an@-people.example', false],
    ['an@people.e', false],
    ['an@people_1.example', false],
    ['an', false],
  ])('only who can sign in is invited: %s', async (email, isTaken) => {
    const { shopId } = await makeShop(running)
    const invited = await manage(running, 'POST', `/shops/${shopId}/invitations`, { email, role: 'staff' })
    const tried = await running.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      remoteAddress: `10.9.${email.length}.6`,
      payload: { email, password: PASSWORD },
    })
    expect([invited.status, tried.statusCode]).toEqual(isTaken ? [201, 401] : [400, 400])
    if (!isTaken) expect(invited.body.validation.body.message).toBe('"email" must be a valid email')
  })

  it('an invitation makes an account and a member, once; a second try finds nothing', async () => {
    const shop = await makeShop(running)
    const email = `moi-${shop.shopId}@people.example`
    const invited = await manage(running, 'POST', `/shops/${shop.shopId}/invitations`, {
      email,
      role: 'staff',
    })
    const token = String(invited.body.data.link).split('token=')[1]!
    const path = `/api/console/v1/invitations/${token}`
    expect((await send('', 'GET', path)).body.data).toMatchObject({ email, role: 'staff', hasAccount: false })
    const short = await send('', 'POST', `${path}/accept`, { body: { name: 'Mới', password: 'short' } })
    expect([short.status, short.body.validation.body.keys]).toEqual([400, ['password']])
    const body = { name: 'Nhân viên mới', password: PASSWORD }
    expect((await send('', 'POST', `${path}/accept`, { body })).status).toBe(201)
    expect((await send('', 'POST', `${path}/accept`, { body })).status).toBe(404)
    const cookie = await signIn(running, email)
    const me = await send(cookie, 'GET', '/api/console/v1/me')
    expect(me.body.data.shops).toMatchObject([
      { _id: shop.shopId, name: 'Tiệm Hoa Mai', role: 'staff', language: 'en' },
    ])
    expect(me.body.data.operatorContact).toBeNull()
  })

  it('404 for an invitation that was taken back', async () => {
    const shop = await makeShop(running)
    const asked = { email: 'thu-hoi@people.example', role: 'viewer' }
    const { body } = await manage(running, 'POST', `/shops/${shop.shopId}/invitations`, asked)
    const { invitation, link } = body.data
    await manage(running, 'DELETE', `/shops/${shop.shopId}/invitations/${invitation._id}`)
    const path = `/api/console/v1/invitations/${String(link).split('token=')[1]}`
    expect((await send('', 'GET', path)).status).toBe(404)
  })

  it('409 LAST_OWNER rather than a shop without one, also when two owners leave at once', async () => {
    const { shop, person } = await member('owner')
    const members = `/shops/${shop.shopId}/members`
    const alone = await manage(running, 'DELETE', `${members}/${person.id}`)
    expect([alone.status, alone.body.code]).toEqual([409, 'LAST_OWNER'])
    const second = await makePerson(running.deps, { shopId: shop.shopId, role: 'owner' })
    const both = await Promise.all(
      [person, second].map(({ id }) => manage(running, 'DELETE', `${members}/${id}`)),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('a role taken away is felt by the next request', async () => {
    const { shop, person, cookie } = await member('staff')
    const asked = { shopId: shop.shopId, body: { fullName: 'Trước' } }
    expect((await send(cookie, 'POST', CUSTOMERS, asked)).status).toBe(201)
    await manage(running, 'PATCH', `/shops/${shop.shopId}/members/${person.id}`, { role: 'viewer' })
    expect((await send(cookie, 'POST', CUSTOMERS, asked)).status).toBe(403)
  })

  it('a reset link sets a password once and ends the sessions there were', async () => {
    const { shop, person, cookie } = await member('owner')
    const { body } = await manage(running, 'POST', '/reset-links', { email: person.email })
    const token = String(body.data.link).split('token=')[1]!
    const reset = { body: { token, newPassword: 'another password' } }
    expect((await send('', 'POST', '/api/auth/reset-password', reset)).status).toBe(200)
    expect((await send('', 'POST', '/api/auth/reset-password', reset)).status).toBe(400)
    await signIn(running, person.email, 'another password')
    await expect(signIn(running, person.email)).rejects.toThrow('401')
    await expect
      .poll(async () => (await send(cookie, 'GET', CUSTOMERS, { shopId: shop.shopId })).status, {
        timeout: 8_000,
      })
      .toBe(401)
  })
})
