import { describe, expect, it } from 'vitest'
import { findTokens } from '../../../src/modules/official-accounts/tokens/sql.ts'
import { makeShop, manage, service } from '../../support/service.ts'

const running = await service()
const { db, secrets } = running.deps
const APPS = '/platform-apps'

let made = 0
const newAppId = () => `app-of-apps-${++made}`
const set = (body: object) => manage(running, 'POST', APPS, body)
const listed = async (appId: string) =>
  (await manage(running, 'GET', APPS)).body.data.find((app: { appId: string }) => app.appId === appId)

async function linked(appId: string, more: object = {}) {
  const { shopId } = await makeShop(running)
  const path = `/shops/${shopId}/official-accounts`
  const oaId = `oa-of-${shopId}`
  const { body } = await manage(running, 'POST', path, { oaId, name: 'OA', appId, ...more })
  const secret = async () => {
    const row = await findTokens(db, shopId, oaId)
    return row?.app_secret === null ? undefined : secrets.open(row!.app_secret!)
  }
  return { account: body.data, path: `${path}/${body.data._id}`, secret }
}

describe('G-61 the operator’s apps on the platform', () => {
  it('200 set and listed with which secrets are stored, never the secrets; what is not sent is unchanged', async () => {
    const appId = newAppId()
    const first = await set({ appId, name: ' Ứng dụng ', appSecret: 'bí-mật-1', oaSecretKey: 'bí-mật-2' })
    expect([first.status, first.body.data]).toEqual([
      200,
      {
        appId,
        name: 'Ứng dụng',
        hasAppSecret: true,
        hasOaSecretKey: true,
        hasPreviousOaSecretKey: false,
        accounts: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const second = await set({ appId, oaSecretKey: 'bí-mật-3' })
    expect(second.body.data).toMatchObject({ name: 'Ứng dụng', hasPreviousOaSecretKey: true })
    const third = await set({ appId, previousOaSecretKey: null })
    expect(third.body.data).toMatchObject({ hasAppSecret: true, hasPreviousOaSecretKey: false })
    expect(await listed(appId)).toEqual(third.body.data)
    const { body } = await manage(running, 'GET', '/audit?action=platform_app.set')
    expect(body.data[0]).toMatchObject({
      target: { appId },
      detail: { name: 'Ứng dụng', credentials: ['previousOaSecretKey'] },
    })
    expect(JSON.stringify([first.body, second.body, body])).not.toContain('bí-mật')
  })

  it('an account linked with an app’s id and secret makes the app, and another account uses its secret', async () => {
    const appId = newAppId()
    const one = await linked(appId, { secretKey: 'khóa-1' })
    const other = await linked(appId)
    expect([one.account.hasSecretKey, other.account.hasSecretKey]).toEqual([true, true])
    expect(await listed(appId)).toMatchObject({ name: appId, hasAppSecret: true, accounts: 2 })
    await set({ appId, appSecret: 'khóa-2' })
    expect([await one.secret(), await other.secret()]).toEqual(['khóa-2', 'khóa-2'])
  })

  it('a secret that was given before its app’s id goes to the app with it', async () => {
    const appId = newAppId()
    const { shopId } = await makeShop(running)
    const path = `/shops/${shopId}/official-accounts`
    const { body } = await manage(running, 'POST', path, { oaId: 'oa', name: 'OA', secretKey: 'khóa-1' })
    await manage(running, 'PATCH', `${path}/${body.data._id}`, { appId })
    expect(await listed(appId)).toMatchObject({ hasAppSecret: true, accounts: 1 })
  })

  it('409 APP_IN_USE while an account refers to it, 404 once it is removed', async () => {
    const appId = newAppId()
    const { path } = await linked(appId)
    const refused = await manage(running, 'DELETE', `${APPS}/${appId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'APP_IN_USE'])
    await manage(running, 'PATCH', path, { appId: null })
    expect((await manage(running, 'DELETE', `${APPS}/${appId}`)).status).toBe(200)
    expect((await manage(running, 'DELETE', `${APPS}/${appId}`)).status).toBe(404)
    expect(await listed(appId)).toBeUndefined()
  })

  it('400 for an id that no app can have, 404 for it in the path', async () => {
    expect((await manage(running, 'DELETE', '/platform-apps/app%00')).status).toBe(404)
    for (const appId of ['', 'a b', 'x'.repeat(65)]) {
      expect([appId, (await set({ appId })).status]).toEqual([appId, 400])
    }
  })
})
