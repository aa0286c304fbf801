import { describe, expect, it } from 'vitest'
import { makePerson, PASSWORD, signIn } from '../../support/members.ts'
import { makeShop, type Service, send, separateService } from '../../support/service.ts'

const ME = '/api/console/v1/me'

const PLAIN = 'shopbell.session_token'
const SECURE = '__Host-shopbell.session_token'

/** A service in one mode, with the cookie of a signed-in owner, and the cookie names of both modes. */
async function inMode(mode: 'https' | 'http') {
  const running = await separateService(mode === 'https' ? { publicUrl: 'https://shop.example' } : {})
  const { shopId } = await makeShop(running)
  const victim = await makePerson(running.deps, { shopId })
  const own = await signIn(running, victim.email)
  return { running, shopId, victim, own, name: own.split('=')[0]!, other: mode === 'https' ? PLAIN : SECURE }
}

const me = (running: Service, cookie: string) => send(running, 'GET', ME, undefined, { cookie })

it('with https, browsers refuse to be given the session’s cookie by a sibling domain, another path or a page without TLS', async () => {
  const { running, victim, name } = await inMode('https')
  const { cookies } = await running.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: victim.email, password: PASSWORD },
  })
  const session = cookies.find((cookie) => cookie.name === name)
  // What the prefix promises, and what browsers ask of a cookie that bears it.
  expect(name).toMatch(/^__Host-/)
  expect(session).toMatchObject({ secure: true, path: '/', httpOnly: true, sameSite: 'Lax' })
  expect(session).not.toHaveProperty('domain')
})

describe.each(['https', 'http'] as const)('a planted cookie, %s', async (mode) => {
  const { running, shopId, victim, own, name, other } = await inMode(mode)

  it('the cookie bears the name of the service’s mode', () => {
    expect(name).toBe(mode === 'https' ? SECURE : PLAIN)
  })

  it.each([
    ['of the other mode before', (value: string) => `${other}=${value}; ${own}`],
    ['of the other mode after', (value: string) => `${own}; ${other}=${value}`],
    ['of the same name before', (value: string) => `${name}=${value}; ${own}`],
    ['of the same name after', (value: string) => `${own}; ${name}=${value}`],
    ['quoted, of the same name before', (value: string) => `${name}="${value}"; ${own}`],
  ])('%s the victim’s opens nothing by itself, and does not shut the victim out', async (where, both) => {
    const planted = `AAAA${where.length}`
    const first = await me(running, both(planted))
    expect([first.status, first.body.data.user.email]).toEqual([200, victim.email])
    for (const alone of [`${other}=${planted}`, `${name}=${planted}`, `${name}="${planted}"`]) {
      expect([alone, (await me(running, alone)).status]).toEqual([alone, 401])
      const key = await send(
        running,
        'POST',
        `/api/manage/v1/shops/${shopId}/keys`,
        { name: 'x' },
        { cookie: alone },
      )
      expect(key.status).toBe(401)
    }
  })

  it('the victim’s own cookie under the other mode’s name is ignored', async () => {
    await me(running, own)
    expect((await me(running, own.replace(`${name}=`, `${other}=`))).status).toBe(401)
  })

  it('signs out the session that was verified, whatever precedes it', async () => {
    const cookie = await signIn(running, victim.email)
    const origin = 'http://localhost'
    const headers = { cookie: `${other}=AAAA; ${name}=BBBB; ${cookie}`, origin, host: 'localhost' }
    expect((await send(running, 'POST', '/api/auth/sign-out', {}, headers)).status).toBe(200)
    expect((await me(running, cookie)).status).toBe(401)
  })
})
