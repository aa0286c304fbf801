import { describe, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../../src/http/app-type.ts'
import { buildApp } from '../../../src/process/app.ts'
import { freshAddress } from '../../support/addresses.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, manage, OPERATOR_TOKEN, send, separateService } from '../../support/service.ts'

/** Each process caches what a session may do. A second app on the same database has its own cache. */
const running = await separateService()

async function otherProcess(): Promise<App> {
  const app = await buildApp(running.deps)
  onTestFinished(() => app.close())
  return app
}

async function ask(
  app: App,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  cookie: string,
  body?: object,
) {
  const url = path.startsWith('/api/') ? path : `/api/manage/v1${path}`
  const answer = await app.inject({
    method,
    url,
    // Failures are counted by address.
    remoteAddress: freshAddress(),
    headers: { cookie },
    ...(body === undefined ? {} : { payload: body }),
  })
  return answer.statusCode
}

const byToken = (app: App, method: 'POST' | 'DELETE', path: string, payload?: object) =>
  app.inject({
    method,
    url: `/api/manage/v1${path}`,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    ...(payload === undefined ? {} : { payload }),
  })

describe('what is taken away', () => {
  it('an operator who is removed stays removed, however often their session asks to be one again', async () => {
    const person = await makePerson(running.deps, { isOperator: true })
    const cookie = await signIn(running, person.email)
    const reinstate = () =>
      ask(running.app, 'POST', '/operators', cookie, { email: person.email, name: 'Tôi' })
    expect(await reinstate()).toBe(201)
    expect((await manage(running, 'DELETE', `/operators/${person.id}`)).status).toBe(200)
    expect([await reinstate(), await ask(running.app, 'GET', '/shops', cookie)]).toEqual([401, 401])
  })

  it('nor by requests that were under way while another process removed them', async () => {
    const other = await otherProcess()
    for (let round = 0; round < 2; round++) {
      const person = await makePerson(running.deps, { isOperator: true })
      const cookie = await signIn(running, person.email)
      const asked = { email: person.email, name: 'Tôi' }
      const tries = []
      let removal: Promise<unknown> | undefined
      for (let n = 0; n < 12; n++) {
        tries.push(ask(running.app, 'POST', '/operators', cookie, asked))
        if (n === 6) removal = byToken(other, 'DELETE', `/operators/${person.id}`)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await removal
      await Promise.all(tries)
      const { body } = await manage(running, 'GET', '/operators')
      expect(body.data.map(({ email }: { email: string }) => email)).not.toContain(person.email)
    }
  }, 60_000)

  it('another process that remembers the session changes no rights with it', async () => {
    const other = await otherProcess()
    const { shopId } = await makeShop(running)
    const person = await makePerson(running.deps, { isOperator: true })
    const cookie = await signIn(running, person.email)
    expect(await ask(other, 'GET', '/shops', cookie)).toBe(200)
    expect((await manage(running, 'DELETE', `/operators/${person.id}`)).status).toBe(200)
    const changes = [
      await ask(other, 'POST', '/operators', cookie, { email: person.email, name: 'Tôi' }),
      await ask(other, 'POST', '/reset-links', cookie, { email: person.email }),
      await ask(other, 'POST', `/shops/${shopId}/invitations`, cookie, {
        email: person.email,
        role: 'owner',
      }),
      await ask(other, 'POST', `/shops/${shopId}/keys`, cookie, { name: 'x' }),
      await ask(other, 'POST', `/shops/${shopId}/wallet/entries`, cookie, { amount: 1000, note: 'x' }),
      await ask(other, 'PATCH', `/shops/${shopId}`, cookie, { name: 'x' }),
    ]
    expect(changes).toEqual([401, 401, 401, 401, 401, 401])
    // It does not forget what it has read.
    expect(await ask(other, 'GET', '/shops', cookie)).toBe(401)
  })

  it('a removed owner issues no key and invites nobody, in this process or another', async () => {
    const other = await otherProcess()
    const { shopId } = await makeShop(running)
    await makePerson(running.deps, { shopId })
    const person = await makePerson(running.deps, { shopId })
    const cookie = await signIn(running, person.email)
    const shop = `/shops/${shopId}`
    for (const app of [running.app, other]) expect(await ask(app, 'GET', `${shop}/keys`, cookie)).toBe(200)
    expect((await manage(running, 'DELETE', `${shop}/members/${person.id}`)).status).toBe(200)
    expect(await ask(running.app, 'GET', `${shop}/keys`, cookie)).toBe(401)
    for (const app of [running.app, other]) {
      const changes = [
        await ask(app, 'POST', `${shop}/keys`, cookie, { name: 'x' }),
        await ask(app, 'POST', `${shop}/invitations`, cookie, { email: person.email, role: 'owner' }),
        await ask(app, 'PATCH', `${shop}/members/${person.id}`, cookie, { role: 'owner' }),
      ]
      expect(changes).toEqual([401, 401, 401])
    }
  })

  it('a signed-out session changes no rights in another process', async () => {
    const other = await otherProcess()
    const { shopId } = await makeShop(running)
    const person = await makePerson(running.deps, { shopId })
    const cookie = await signIn(running, person.email)
    expect(await ask(other, 'GET', `/shops/${shopId}/keys`, cookie)).toBe(200)
    const out = await send(
      running,
      'POST',
      '/api/auth/sign-out',
      {},
      { cookie, origin: 'http://localhost', host: 'localhost' },
    )
    expect(out.status).toBe(200)
    expect(await ask(other, 'POST', `/shops/${shopId}/keys`, cookie, { name: 'x' })).toBe(401)
  })
})
