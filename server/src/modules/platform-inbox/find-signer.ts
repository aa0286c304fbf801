import type { Deps } from '../../deps.ts'
import type { InboundRequest, InboundSecret } from '../../platform/provider.ts'
import { PROTOCOLS } from '../../platform/providers.ts'
import type { Inbox } from './inbox.ts'
import type { SigningRow } from './sql.ts'

/** The simulator's app, for official accounts that were linked without credentials. */
const SIMULATOR_APP = 'simulator'

/**
 * The official account of `accounts` whose app signed the event; `'nobody'` if an app of the operator signed it for accounts that
 * no shop has linked; undefined if it is not correctly signed. The app secret and the current and previous OA secret keys are
 * accepted, and as the first term of the signature the id of the app or of the account. For an account that refers to no app, the
 * secrets of all apps are accepted. Cached secrets are read again before an event is refused.
 */
export async function findSigner(
  deps: Pick<Deps, 'secrets' | 'simulatorSecret'>,
  inbox: Inbox,
  request: InboundRequest,
  accounts: readonly string[],
): Promise<{ oaId: string } | 'nobody' | undefined> {
  const { isGenuine } = PROTOCOLS.chatapp.inbound
  for (const isFresh of [false, true]) {
    let isLinked = false
    for (const oaId of accounts) {
      const rows = await inbox.signingRows(oaId, isFresh)
      isLinked ||= rows.length > 0
      const own = rows.flatMap((row) => orSimulator(deps, signingsOf(deps, row)))
      const isOfNoApp = rows.some((row) => row.app_id === null)
      const known = isOfNoApp ? [...own, ...(await ofApps(deps, inbox, isFresh))] : own
      if (known.some((signing) => isGenuine(request, signing, [oaId]))) return { oaId }
    }
    if (isLinked) continue
    const known = orSimulator(deps, await ofApps(deps, inbox, isFresh))
    if (known.some((signing) => isGenuine(request, signing, accounts))) return 'nobody'
  }
  return undefined
}

async function ofApps(
  deps: Pick<Deps, 'secrets' | 'simulatorSecret'>,
  inbox: Inbox,
  isFresh: boolean,
): Promise<InboundSecret[]> {
  return (await inbox.appSigningRows(isFresh)).flatMap((row) => signingsOf(deps, row))
}

/** The simulator's secret, if no other is known and no platform is configured. */
function orSimulator(
  { simulatorSecret }: Pick<Deps, 'simulatorSecret'>,
  known: InboundSecret[],
): InboundSecret[] {
  const isSimulators = known.length === 0 && simulatorSecret !== undefined
  return isSimulators ? [{ appId: SIMULATOR_APP, secret: simulatorSecret }] : known
}

/** The likeliest secret comes first: the platform signs with the OA secret key, unless the sources that say so are wrong. */
function signingsOf({ secrets }: Pick<Deps, 'secrets'>, row: SigningRow): InboundSecret[] {
  return [row.oa_secret_key, row.previous_oa_secret_key, row.app_secret]
    .filter((secret) => secret !== null)
    .map((secret) => ({ appId: row.app_id ?? undefined, secret: secrets.open(secret) }))
}
