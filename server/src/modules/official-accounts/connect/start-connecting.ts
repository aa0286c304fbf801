import { randomBytes } from 'node:crypto'
import type { Deps } from '../../../deps.ts'
import { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { sha256 } from '../../../lib/secrets/sha256.ts'
import { upsertPlatformApp } from '../../platform-apps/sql.ts'
import { type ConnectingApp, insertConnect, listConnectingApps } from './sql.ts'

const CONNECT_MS = 10 * 60_000
const CALLBACK = '/oauth/platform/callback'
const SIMULATOR_APP = 'simulator'

/**
 * The address of the platform's consent page for connecting an account with the shop, within ten minutes and in the same session.
 * The state, which begins with the shop's id, and the verifier (PKCE) are random; the state is stored as a hash, the verifier
 * encrypted.
 * @throws Refused NO_PLATFORM_APP when the operator has set no app with a secret, or not the one asked for.
 */
export async function startConnecting(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'consent' | 'simulatorSecret'>,
  shopId: ObjectId,
  asked: { appId: string | undefined; sessionToken: string; ownAddress: string },
): Promise<{ address: string; expiresAt: Date }> {
  const app = await connectingApp(deps, asked.appId)
  const state = `${shopId}.${randomBytes(32).toString('base64url')}`
  const verifier = randomBytes(32).toString('base64url')
  const expiresAt = new Date(deps.clock.now().getTime() + CONNECT_MS)
  await insertConnect(deps.db, shopId, {
    stateHash: sha256(state),
    sessionHash: sha256(asked.sessionToken),
    appId: app.app_id,
    verifier: deps.secrets.seal(verifier),
    expiresAt,
  })
  const address = deps.consent.pageAddress({
    appId: app.app_id,
    redirectUri: `${asked.ownAddress}${CALLBACK}`,
    challenge: sha256(verifier).toString('base64url'),
    state,
  })
  return { address, expiresAt }
}

/** The app with this id, or the one that was set first. With the simulator, its own app if none is set. */
async function connectingApp(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'simulatorSecret'>,
  appId: string | undefined,
): Promise<ConnectingApp> {
  const apps = await listConnectingApps(deps.db)
  const known = appId === undefined ? apps[0] : apps.find((app) => app.app_id === appId)
  if (known !== undefined) return known
  if (appId !== undefined || deps.simulatorSecret === undefined) throw new Refused('NO_PLATFORM_APP')
  return simulatorApp(deps, deps.simulatorSecret)
}

/** The simulator accepts any app secret, and signs events with the secret that this process knows. */
async function simulatorApp(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  simulatorSecret: string,
): Promise<ConnectingApp> {
  const sealed = secrets.seal(simulatorSecret)
  const row = await db.transaction().execute((trx) =>
    upsertPlatformApp(trx, {
      appId: SIMULATOR_APP,
      name: 'Simulator',
      appSecret: sealed,
      oaSecretKey: sealed,
      previousOaSecretKey: null,
      now: clock.now(),
    }),
  )
  return { app_id: row.app_id, app_secret: sealed }
}
