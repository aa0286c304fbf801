import { afterAll, describe, expect, it } from 'vitest'
import { buildSimulator } from '../../../simulator/src/app.ts'
import type { SecretBox } from '../../src/lib/secrets/secret-box.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import {
  claimTokenRenewal,
  findTokens,
  releaseTokenRenewal,
} from '../../src/modules/official-accounts/tokens/sql.ts'
import { officialAccountTokens } from '../../src/modules/official-accounts/tokens/stored-tokens.ts'
import { manage, service } from '../support/service.ts'
import { makeShopWithOa } from '../support/template-shop.ts'

const running = await service()
const simulator = buildSimulator()
const asked: number[] = []
simulator.addHook('onRequest', async (request) => {
  if (request.url.startsWith('/v4/oa/access_token')) asked.push(Date.now())
})
const oauthUrl = await simulator.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => simulator.close())

const { db } = running.deps

/** A shop's account with an expired token, and two stores over one database, as in two processes. */
async function setUp() {
  const shop = await makeShopWithOa(running)
  const credentials = {
    appId: 'app',
    secretKey: 's',
    accessToken: 'expired',
    refreshToken: `simr:${shop.oaId}`,
  }
  await manage(running, 'POST', `/shops/${shop.shopId}/official-accounts`, {
    oaId: shop.oaId,
    name: 'OA',
    ...credentials,
  })
  const given = {
    db,
    secrets: running.deps.secrets,
    clock: systemClock,
    timings: running.deps.timings,
    oauthUrl,
    log: running.deps.log,
  }
  const stores = [officialAccountTokens(given), officialAccountTokens(given)]
  asked.length = 0
  return { shop, stores, oa: { shopId: shop.shopId, oaId: shop.oaId } }
}

describe('token renewal across processes', () => {
  it('20 at once over two processes make one call, and all get the new token', async () => {
    const { stores, oa } = await setUp()
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2]!.refresh(oa, 'expired')),
    )
    expect(asked).toHaveLength(1)
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatch(/^sima-/)
    const row = await findTokens(db, oa.shopId, oa.oaId)
    expect(running.deps.secrets.open(row!.access_token!)).toBe(tokens[0])
  })

  it('while another process renews, waits and takes what it stored', async () => {
    const { stores, oa } = await setUp()
    const claim = await claimTokenRenewal(db, oa.shopId, oa.oaId, 60_000)
    expect(await claimTokenRenewal(db, oa.shopId, oa.oaId, 60_000)).toBeUndefined()
    const waiting = stores[0]!.refresh(oa, 'expired')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(asked).toHaveLength(0)
    await releaseTokenRenewal(db, oa.shopId, oa.oaId, claim!)
    const renewed = await stores[1]!.refresh(oa, 'expired')
    expect(await waiting).toBe(renewed)
    expect(asked).toHaveLength(1)
  })

  it('a process that died while renewing delays others no longer than its lease', async () => {
    const { stores, oa } = await setUp()
    await claimTokenRenewal(db, oa.shopId, oa.oaId, 300)
    expect(await stores[0]!.refresh(oa, 'expired')).toMatch(/^sima-/)
  })

  it('a claim that is over does not end another’s', async () => {
    const { oa } = await setUp()
    const first = await claimTokenRenewal(db, oa.shopId, oa.oaId, 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await claimTokenRenewal(db, oa.shopId, oa.oaId, 60_000)).toBeDefined()
    await releaseTokenRenewal(db, oa.shopId, oa.oaId, first!)
    expect(await claimTokenRenewal(db, oa.shopId, oa.oaId, 60_000)).toBeUndefined()
  })

  it('a refused renewal ends its claim', async () => {
    const { stores, oa } = await setUp()
    await stores[0]!.refresh(oa, 'expired')
    // The simulator knows this refresh token as used.
    await manage(running, 'POST', `/shops/${oa.shopId}/official-accounts`, {
      oaId: oa.oaId,
      name: 'OA',
      accessToken: 'expired-too',
      refreshToken: `simr:${oa.oaId}`,
    })
    expect(await stores[1]!.refresh(oa, 'expired-too')).toBeUndefined()
    expect(await claimTokenRenewal(db, oa.shopId, oa.oaId, 60_000)).toBeDefined()
  })
  it('a claim ends with a renewal whose tokens could not be read', async () => {
    const { shop, oa } = await setUp()
    const { secrets, timings, log } = running.deps
    let reads = 0
    const failing: SecretBox = {
      ...secrets,
      open(sealed) {
        reads += 1
        // Three values are read before the claim, and again after it.
        if (reads === 4) throw new Error('unreadable')
        return secrets.open(sealed)
      },
    }
    const store = officialAccountTokens({ db, secrets: failing, clock: systemClock, timings, oauthUrl, log })
    await expect(store.refresh(oa, 'expired')).rejects.toThrow('unreadable')
    expect(await claimTokenRenewal(db, shop.shopId, oa.oaId, 60_000)).toBeDefined()
  })
})
