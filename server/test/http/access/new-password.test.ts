import { describe, expect, it, vi } from 'vitest'
import { ask, invite, tokenIn } from '../../support/asking.ts'
import { makePerson, PASSWORD, signIn } from '../../support/members.ts'
import { makeShop, manage, separateService } from '../../support/service.ts'

// Signing in is slow by design.
vi.setConfig({ testTimeout: 60_000 })

const running = await separateService()
const ANOTHER = 'another password'

async function openLink(email: string): Promise<string> {
  const { body } = await manage(running, 'POST', '/reset-links', { email })
  return tokenIn(body.data.link)
}

const reset = (token: string, newPassword = ANOTHER) =>
  ask(running, 'POST', '/api/auth/reset-password', { body: { token, newPassword } })
const change = (cookie: string, currentPassword: string, newPassword = ANOTHER) =>
  ask(running, 'POST', '/api/auth/change-password', { cookie, body: { currentPassword, newPassword } })
const isIn = async (cookie: string) =>
  (await ask(running, 'GET', '/api/console/v1/me', { cookie })).status === 200

async function person() {
  const { shopId } = await makeShop(running)
  const made = await makePerson(running.deps, { shopId, isProved: false })
  const sessions = [await signIn(running, made.email), await signIn(running, made.email)] as const
  for (const cookie of sessions) expect(await isIn(cookie)).toBe(true)
  return {
    ...made,
    shopId,
    sessions,
    links: [await openLink(made.email), await openLink(made.email)] as const,
  }
}

describe('a new password ends every other link and session at once', () => {
  it('set by a link', async () => {
    const { email, sessions, links } = await person()
    expect((await reset(links[0])).status).toBe(200)
    expect([await isIn(sessions[0]), await isIn(sessions[1])]).toEqual([false, false])
    for (const link of links) {
      const again = await reset(link, 'one more password')
      expect([again.status, again.body.code]).toEqual([400, 'LINK_USED'])
    }
    await signIn(running, email, ANOTHER)
  })

  it('changed by who is signed in, whose own session stays', async () => {
    const { email, sessions, links } = await person()
    expect((await change(sessions[0], 'not the password')).status).toBe(401)
    expect((await change(sessions[0], PASSWORD, 'short')).body.validation.body.keys).toEqual(['newPassword'])
    expect((await change(sessions[0], PASSWORD)).status).toBe(200)
    expect([await isIn(sessions[0]), await isIn(sessions[1])]).toEqual([true, false])
    for (const link of links) expect((await reset(link)).status).toBe(400)
    await signIn(running, email, ANOTHER)
    await expect(signIn(running, email)).rejects.toThrow('401')
  })

  it('given with an invitation that the operator hands over', async () => {
    const { email, sessions, links } = await person()
    const { shopId } = await makeShop(running)
    const path = await invite(running, shopId, { email, role: 'staff' })
    const body = { name: 'Người thử', password: ANOTHER }
    expect((await ask(running, 'POST', `${path}/accept`, { body })).status).toBe(201)
    expect([await isIn(sessions[0]), await isIn(sessions[1])]).toEqual([false, false])
    for (const link of links) expect((await reset(link)).status).toBe(400)
  })

  it('of two links used at once one sets the password', async () => {
    const { links } = await person()
    const answers = await Promise.all([reset(links[0]), reset(links[1]), reset(links[0])])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  })
})

describe('change-password', () => {
  it('401 without a session, 403 from another site’s page, 429 after ten wrong ones', async () => {
    const { sessions } = await person()
    expect(
      (
        await ask(running, 'POST', '/api/auth/change-password', {
          body: { currentPassword: PASSWORD, newPassword: ANOTHER },
        })
      ).status,
    ).toBe(401)
    const foreign = await running.app.inject({
      method: 'POST',
      url: '/api/auth/change-password',
      headers: { cookie: sessions[0], origin: 'https://evil.example' },
      payload: { currentPassword: PASSWORD, newPassword: ANOTHER },
    })
    expect([foreign.statusCode, foreign.json().code]).toEqual([403, 'CROSS_SITE_REQUEST'])
    const wrong = await Promise.all(Array.from({ length: 11 }, () => change(sessions[0], 'not the password')))
    expect(wrong.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(401), 429])
  })
})
