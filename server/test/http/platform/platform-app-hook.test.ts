import { describe, expect, it } from 'vitest'
import { macOf, postRaw, storedEvents } from '../../support/platform-events.ts'
import { makeShop, manage, service } from '../../support/service.ts'

const running = await service()
const TIMESTAMP = '1893456000000'

let made = 0

/** A shop with an account of an app that has both secrets. */
async function linked(appId: string | undefined = undefined) {
  const { shopId } = await makeShop(running)
  const account = { oaId: `oa-${shopId}`, name: 'OA', ...(appId === undefined ? {} : { appId }) }
  await manage(running, 'POST', `/shops/${shopId}/official-accounts`, account)
  return account.oaId
}

async function newApp() {
  const appId = `app-of-events-${++made}`
  const [appSecret, oaSecretKey] = [`secret-${appId}`, `key-${appId}`]
  await manage(running, 'POST', '/platform-apps', { appId, appSecret, oaSecretKey })
  return { appId, appSecret, oaSecretKey }
}

/** Posts a signed event to the address for all accounts, or to another one. */
function post(event: object, signing: { appId?: string; secret?: string }, path = '') {
  const raw = JSON.stringify({ event_name: 'user_feedback', ...event, timestamp: TIMESTAMP })
  return postRaw(running, path, raw, macOf(raw, TIMESTAMP, signing))
}

const names = async (oaId: string) => (await storedEvents(running, oaId)).map(({ name }) => name)

describe('platform hook of an app: whose an event is', () => {
  it.each([
    ['oa_id', (oaId: string) => ({ oa_id: oaId })],
    ['oaId', (oaId: string) => ({ oaId })],
    ['sender.id', (oaId: string) => ({ sender: { id: oaId }, recipient: { id: '84' } })],
    ['recipient.id', (oaId: string) => ({ sender: { id: '84' }, recipient: { id: oaId } })],
  ])('200 and stored with the account that %s names, not with another of the app', async (_field, event) => {
    const { appId, oaSecretKey } = await newApp()
    const [one, other] = [await linked(appId), await linked(appId)]
    expect((await post(event(one), { appId, secret: oaSecretKey })).status).toBe(200)
    expect([await names(one), await names(other)]).toEqual([['user_feedback'], []])
  })

  it('200 for the OA secret key, the previous one and the app secret, each with the app’s or the account’s id first', async () => {
    const { appId, appSecret, oaSecretKey } = await newApp()
    const oaId = await linked(appId)
    await manage(running, 'POST', '/platform-apps', { appId, oaSecretKey: 'the-next-key' })
    for (const secret of ['the-next-key', oaSecretKey, appSecret]) {
      for (const first of [appId, oaId]) {
        const own = await post({ oa_id: oaId }, { appId: first, secret }, `/${oaId}`)
        expect([
          secret,
          first,
          (await post({ oa_id: oaId }, { appId: first, secret })).status,
          own.status,
        ]).toEqual([secret, first, 200, 200])
      }
    }
    await manage(running, 'POST', '/platform-apps', { appId, previousOaSecretKey: null })
    await new Promise((resolve) => setTimeout(resolve, running.deps.timings.inboxSecretsKeptMs))
    expect((await post({ oa_id: oaId }, { appId, secret: oaSecretKey })).status).toBe(401)
  })

  it('401 and nothing stored: no signature, a wrong one, another app’s secret, another’s id first, other bytes', async () => {
    const [app, other] = [await newApp(), await newApp()]
    const oaId = await linked(app.appId)
    const event = { oa_id: oaId }
    const raw = JSON.stringify({ event_name: 'x', oa_id: oaId, timestamp: TIMESTAMP })
    const { appId, oaSecretKey: secret } = app
    const answers = [
      await postRaw(running, '', raw, undefined),
      await postRaw(running, '', raw, 'f'.repeat(64)),
      await post(event, { appId: other.appId, secret: other.oaSecretKey }),
      await post(event, { appId: other.appId, secret }),
      await post(event, { appId, secret: '' }),
      await post(event, {}),
      await postRaw(running, '', `${raw} `, macOf(raw, TIMESTAMP, { appId, secret })),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401])
    expect(await names(oaId)).toEqual([])
  })

  it('200 for the event of an account that refers to no app, signed by any app of the operator', async () => {
    const { appId, oaSecretKey } = await newApp()
    const oaId = await linked()
    expect((await post({ oa_id: oaId }, { appId, secret: oaSecretKey })).status).toBe(200)
    expect(await names(oaId)).toEqual(['user_feedback'])
  })

  it('200 and nothing stored for an account that no shop has linked, 401 unless an app signed it', async () => {
    const { appId, oaSecretKey } = await newApp()
    const event = { oa_id: 'linked-by-nobody' }
    expect((await post(event, { appId, secret: oaSecretKey })).status).toBe(200)
    expect((await post(event, { appId, secret: 'another' })).status).toBe(401)
    expect((await post(event, { appId, secret: oaSecretKey }, '/linked-by-nobody')).status).toBe(401)
    expect(await names('linked-by-nobody')).toEqual([])
  })
})

describe('platform hook: the platform looks whether somebody answers', () => {
  it('200 and nothing stored without a signature for what names no event, at either address', async () => {
    const oaId = await linked()
    for (const path of ['', `/${oaId}`]) {
      for (const raw of [
        undefined,
        '',
        '{}',
        '{"timestamp":"1"}',
        '[]',
        'ping',
        JSON.stringify({ oa_id: oaId }),
      ]) {
        const { status } = await postRaw(running, path, raw, undefined)
        expect([path, raw, status]).toEqual([path, raw, 200])
      }
      expect((await running.app.inject(`/hooks/platform${path}`)).statusCode).toBe(200)
    }
    expect(await names(oaId)).toEqual([])
  })

  it('401 for an event that was cut off', async () => {
    expect((await postRaw(running, '', '{"event_name":"user_rec', undefined)).status).toBe(401)
  })
})
