import { describe, expect, it } from 'vitest'
import { ask, invite, tokenIn } from '../../support/asking.ts'
import { makePerson, PASSWORD, signIn } from '../../support/members.ts'
import { quickHashing } from '../../support/quick-passwords.ts'
import { makeShop, manage, separateService, unusedId } from '../../support/service.ts'

let hashes = 0
const running = await separateService(
  {},
  {
    passwords: {
      ...quickHashing,
      hash(password) {
        hashes++
        return quickHashing.hash(password)
      },
    },
  },
)

const made = (n: number) => `guess-${n}-${unusedId()}`
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)
const LIMITED = (status: number, of = 25) => [...Array(20).fill(status), ...Array(of - 20).fill(429)]

describe('guesses are limited by address, and the right secret always passes', () => {
  it('20 links of invitations a minute, viewed or taken', async () => {
    const address = '203.0.113.20'
    const { shopId } = await makeShop(running)
    const good = await invite(running, shopId, { email: `${unusedId()}@people.example`, role: 'staff' })
    const answers = []
    for (let n = 0; n < 25; n++) {
      const path = `/api/console/v1/invitations/${made(n)}`
      const body = { name: 'X', password: PASSWORD }
      answers.push(
        n % 2 === 0
          ? await ask(running, 'GET', path, { address })
          : await ask(running, 'POST', `${path}/accept`, { address, body }),
      )
    }
    expect(statuses(answers)).toEqual(LIMITED(404))
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(running, 'GET', good, { address })).status).toBe(200)
    const body = { name: 'X', password: PASSWORD }
    expect((await ask(running, 'POST', `${good}/accept`, { address, body })).status).toBe(201)
  })

  it('20 links that set a password', async () => {
    const address = '203.0.113.21'
    const person = await makePerson(running.deps)
    const link = await manage(running, 'POST', '/reset-links', { email: person.email })
    const reset = (token: string) =>
      ask(running, 'POST', '/api/auth/reset-password', { address, body: { token, newPassword: PASSWORD } })
    const answers = []
    for (let n = 0; n < 25; n++) answers.push(await reset(made(n)))
    expect(statuses(answers)).toEqual(LIMITED(400))
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(0)
    expect((await reset(tokenIn(link.body.data.link))).status).toBe(200)
  })

  it('20 signatures at the platform’s hooks; those of another address are not held to it, nor is what names no event', async () => {
    const hook = (address: string, url = '/hooks/platform/no-such-oa', event = 'x') =>
      running.app.inject({
        method: 'POST',
        url,
        remoteAddress: address,
        headers: { 'content-type': 'application/json', 'x-zevent-signature': 'mac=00' },
        payload: JSON.stringify({ event_name: event, app_id: 'x', timestamp: '1' }),
      })
    const answers = []
    for (let n = 0; n < 25; n++) answers.push((await hook('203.0.113.22')).statusCode)
    expect(answers).toEqual(LIMITED(401))
    expect(Number((await hook('203.0.113.22')).headers['retry-after'])).toBeGreaterThan(0)
    expect((await hook('203.0.113.23')).statusCode).toBe(401)
    expect((await hook('203.0.113.22', '/hooks/platform')).statusCode).toBe(429)
    expect((await hook('203.0.113.22', '/hooks/platform', '')).statusCode).toBe(200)
  })
})

describe('a password is hashed last', () => {
  it('an open link costs nothing without its fields, and ten hashes a minute with them', async () => {
    const address = '203.0.113.24'
    const { shopId } = await makeShop(running)
    const emails = Array.from({ length: 20 }, () => `${unusedId()}@people.example`)
    const paths = await Promise.all(
      emails.map((email) => invite(running, shopId, { email, role: 'staff' as const })),
    )
    const before = hashes
    const nameless = await Promise.all(
      paths.map((path) => ask(running, 'POST', `${path}/accept`, { address, body: { password: PASSWORD } })),
    )
    expect(new Set(statuses(nameless))).toEqual(new Set([400]))
    expect(nameless[0]!.body.validation.body.keys).toEqual(['name'])
    expect(hashes).toBe(before)

    const body = { name: 'X', password: PASSWORD }
    const all = statuses(
      await Promise.all(paths.map((path) => ask(running, 'POST', `${path}/accept`, { address, body }))),
    )
    expect(all.toSorted()).toEqual([...Array(10).fill(201), ...Array(10).fill(429)])
    expect(hashes - before).toBe(10)
    await signIn(running, emails[all.indexOf(201)]!)
  })
})
