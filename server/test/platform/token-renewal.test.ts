import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renewIdleTokens } from '../../src/modules/official-accounts/tokens/renew-tokens.ts'
import { findTokens } from '../../src/modules/official-accounts/tokens/sql.ts'
import { officialAccountTokens } from '../../src/modules/official-accounts/tokens/stored-tokens.ts'
import { makeShop, manage, type Partner, send, separateService } from '../support/service.ts'
import { control, insertEnabledTemplate, topUp, VALUES } from '../support/templates.ts'
import { eventsOf, listen } from '../support/webhooks.ts'
import { reply, startServer } from './support.ts'

const running = await separateService({}, { timings: { tokenRefusedMs: 1 } })
const { deps } = running
const DAY_MS = 86_400_000

let daysPassed = 0
const clock = { now: () => new Date(Date.now() + daysPassed * DAY_MS) }
let requests = 0
running.simulator.server.on('request', ({ url }) => {
  if (url === '/v4/oa/access_token') requests += 1
})

/** Lets days pass for the platform and the job. */
async function pass(days: number): Promise<void> {
  daysPassed += days
  await control(running, '/clock', { days })
}

/** A round of the job, as in a process started on this day. */
function round(): Promise<void> {
  const { db, secrets, timings, log } = deps
  const tokens = officialAccountTokens({ db, secrets, clock, timings, oauthUrl: running.simulatorUrl, log })
  return renewIdleTokens({ ...deps, clock, tokens })
}

/** A shop with an account whose tokens were pasted. Only the job calls the platform for it. */
async function linked() {
  const shop = await makeShop(running)
  await listen(running, shop.shopId, ['official_account.disconnected'])
  const oaId = `oa-${shop.shopId}`
  await manage(running, 'POST', `/shops/${shop.shopId}/official-accounts`, {
    oaId,
    name: 'Tiệm Nến',
    appId: 'simulator',
    secretKey: 'the-app-secret',
    accessToken: 'pasted',
    refreshToken: `simr:${oaId}`,
  })
  return { shop, oaId, state: () => stateOf(shop) }
}

async function stateOf(shop: Partner) {
  const { status, stopsAt } = (await shop.get('/api/external/official-accounts')).body.data[0]
  const days = stopsAt === undefined ? undefined : (Date.parse(stopsAt) - clock.now().getTime()) / DAY_MS
  return [status, days === undefined ? undefined : Math.round(days)]
}

const told = async (shop: Partner) =>
  (await eventsOf(running, shop.shopId)).map(({ type, data }) => [type, data])
const disconnected = async () => {
  const { body } = await send(running, 'GET', '/metrics')
  return Number(/^shopbell_official_accounts_disconnected\{.*\} (\d+)$/m.exec(body)![1])
}
/** The status of a send with a new template. */
async function sendOne({ shop, oaId }: Awaited<ReturnType<typeof linked>>): Promise<number> {
  const template = await insertEnabledTemplate(running, shop.shopId, { oaId, isLinked: false })
  await topUp(running, shop.shopId, 1_000)
  const { status } = await shop.post('/api/external/notify-message/send', {
    templateId: template.id,
    receiverPhone: '0901230003',
    params: VALUES,
  })
  return status
}

await control(running, '/settings', { appSecret: 'the-app-secret' })

describe('G-73 an account that sends nothing', () => {
  it('is renewed once a week, and sends after 200 idle days, more than twice the life of a refresh token', async () => {
    const account = await linked()
    requests = 0
    for (let day = 0; day < 200; day += 4) {
      await round()
      await pass(4)
    }
    expect(requests).toBe(25)
    expect(await account.state()).toEqual(['CONNECTED', undefined])
    expect(await sendOne(account)).toBe(200)
  })

  it('without the job it cannot send after 91 days, and is shown as disconnected', async () => {
    const account = await linked()
    await round()
    await pass(91)
    expect(await sendOne(account)).toBe(400)
    expect((await account.state())[0]).toBe('DISCONNECTED')
  })
})

describe('G-73 an account that is reconnected while its renewal is under way', () => {
  it.each([
    ['worked', { access_token: 'renewed', refresh_token: 'renewed-r', expires_in: '90000' }],
    ['was refused', { error: -14002, error_name: 'Invalid refresh token' }],
  ])('keeps its new tokens, and goes on with them, where the renewal %s', async (_how, answer) => {
    const { shop, oaId, state } = await linked()
    const server = await startServer(async (_request, response) => {
      await manage(running, 'POST', `/shops/${shop.shopId}/official-accounts`, {
        oaId,
        name: 'Tiệm Nến',
        accessToken: 'anew',
        refreshToken: 'anew-r',
      })
      reply(response, answer)
    })
    onTestFinished(server.close)
    const { db, secrets, timings, log } = deps
    const tokens = officialAccountTokens({ db, secrets, clock, timings, oauthUrl: server.url, log })
    expect(await tokens.refresh({ shopId: shop.shopId, oaId, accessToken: 'pasted' }, 'pasted')).toBe('anew')
    const stored = await findTokens(db, shop.shopId, oaId)
    expect([stored!.access_token, stored!.refresh_token].map((one) => secrets.open(one!))).toEqual([
      'anew',
      'anew-r',
    ])
    expect((await state())[0]).toBe('CONNECTED')
    expect(await told(shop)).toEqual([])
    // The claim was given up, so the next renewal waits for nobody.
    const { rows } = await sql`
      select token_refresh_until
      from official_accounts
      where shop_id = ${shop.shopId}`.execute(db)
    expect(rows).toEqual([{ token_refresh_until: null }])
  })
})

describe('G-73 an account that cannot be renewed', () => {
  it('is disconnected once the platform refuses, its shop notified once, and connected again by the next renewal', async () => {
    const account = await linked()
    await round()
    const before = await disconnected()
    await pass(8)
    await control(running, '/settings', { appSecret: 'another-secret' })
    for (const days of [0, 0.1, 0.1]) {
      await pass(days)
      await round()
    }
    // Its last access token ended a day after the last renewal.
    expect(await account.state()).toEqual(['DISCONNECTED', -7])
    expect(await told(account.shop)).toEqual([
      [
        'official_account.disconnected',
        {
          accountId: expect.any(String),
          oaId: account.oaId,
          name: 'Tiệm Nến',
          stopsAt: expect.stringMatching(/Z$/),
        },
      ],
    ])
    expect(await disconnected()).toBeGreaterThan(before)
    await control(running, '/settings', { appSecret: 'the-app-secret' })
    await pass(0.1)
    await round()
    expect(await account.state()).toEqual(['CONNECTED', undefined])
  })

  it('counts as disconnected after two days without an answer, 80 days before it stops', async () => {
    const account = await linked()
    await round()
    await pass(8)
    await control(running, '/faults', [{ kind: '5xx', endpoint: '/v4/oa/access_token', share: 1 }])
    await round()
    expect(await account.state()).toEqual(['CONNECTED', undefined])
    await pass(2.1)
    await round()
    await control(running, '/faults', [])
    expect(await account.state()).toEqual(['DISCONNECTED', 80])
    expect(await told(account.shop)).toHaveLength(1)
  })

  it('new tokens by hand make it connected', async () => {
    const account = await linked()
    await manage(running, 'POST', `/shops/${account.shop.shopId}/official-accounts`, {
      oaId: account.oaId,
      name: 'Tiệm Nến',
      refreshToken: 'nobody-knows-it',
    })
    await round()
    expect(await account.state()).toEqual(['DISCONNECTED', undefined])
    await manage(running, 'POST', `/shops/${account.shop.shopId}/official-accounts`, {
      oaId: account.oaId,
      name: 'Tiệm Nến',
      refreshToken: `simr:${account.oaId}`,
    })
    expect(await account.state()).toEqual(['CONNECTED', undefined])
  })
})
