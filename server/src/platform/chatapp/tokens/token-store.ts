import { setTimeout as pause } from 'node:timers/promises'
import { TIMINGS, type Timings } from '../../../timings.ts'
import type { OaCredentials, PlatformLog } from '../../types.ts'
import { requestPair, type TokenPair } from './token-request.ts'

/** Provides the adapter's access tokens. */
export interface TokenStore {
  /** The token to use now. @throws NoAccessToken when the OA has none. */
  current(oa: OaCredentials): Promise<string>
  /**
   * A token other than `staleToken`, or undefined if the platform refuses one; the OA must then be connected again.
   * @throws when the renewal failed without a refusal, so that a later one may work.
   */
  refresh(oa: OaCredentials, staleToken: string): Promise<string | undefined>
}

/** The stored tokens of an OA. */
export type StoredTokens = { accessToken?: string; refreshToken?: string; appId?: string; secretKey?: string }

/** Names one claim to renew. */
export type RenewalClaim = { until: Date }

export type TokenStoreOptions = {
  oauthUrl: string
  /** The newest stored tokens, read without a cache: another process may have renewed them. */
  load(oa: OaCredentials): Promise<StoredTokens | undefined>
  /**
   * Stores the pair that `usedRefreshToken` was exchanged for, if that refresh token is still the stored one. @returns
   * whether it was stored: not if the account was reconnected meanwhile; its new tokens stay.
   */
  save(oa: OaCredentials, pair: TokenPair, usedRefreshToken: string): Promise<boolean>
  /**
   * Claims the renewal for this process for at least `leaseMs`, against all others that share the store; undefined
   * while another process has it. `save` ends the claim. Without `claim` and `release`, the store must not be shared.
   */
  claim?(oa: OaCredentials, leaseMs: number): Promise<RenewalClaim | undefined>
  /** Ends the given claim, if it is still current: its renewal failed, or was no longer needed. */
  release?(oa: OaCredentials, claim: RenewalClaim): Promise<void>
  /**
   * Records that a renewal failed. `isRefusal`: the platform refused, or something required for the request is missing.
   */
  failed?(oa: OaCredentials, failure: { cause: string; isRefusal: boolean }): Promise<void>
  /** The token of an OA without a stored one; undefined means that it cannot make calls. */
  defaultAccessToken?(oa: OaCredentials): string | undefined
  timings?: Timings
  fetch?: typeof globalThis.fetch
  now?: () => Date
  log?: PlatformLog
}

/** The OA has no access token: it was never connected. */
export class NoAccessToken extends Error {
  constructor(oaId: string) {
    super(`official account ${oaId} has no access token; connect it first`)
    this.name = 'NoAccessToken'
  }
}

/** A renewal failed without a refusal: a later one may work. */
class RenewalFailed extends Error {}

const USED_TOKEN = -14014
const RELOAD_TRIES = 5

type OaState = {
  flight?: Promise<string | undefined>
  /** The last renewal that this process knows of: callers may still hold credentials read before it. */
  replaced?: { from: string; to: string }
  /** A pair that was renewed on the platform but is not stored yet, because `save` failed. */
  unsaved?: { pair: TokenPair; usedRefreshToken: string }
  /** After a refusal no renewal is attempted for a while; otherwise a batch would repeat it for every message. */
  refusedUntil?: { refreshToken: string; until: number }
}

/**
 * A token store over `load` and `save` that runs at most one renewal at a time for each OA, in this process and, with
 * `claim`, in all that share the store. The new pair is stored before it is used. A token already renewed elsewhere is
 * taken from `load` instead of being renewed again, since a refresh token works once. An error body is never read as a
 * pair, whatever the HTTP status. Source: docs/reference/platform.md, "Calls", token.
 */
export function createTokenStore(options: TokenStoreOptions): TokenStore {
  const now = options.now ?? (() => new Date())
  const { timings = TIMINGS } = options
  const states = new Map<string, OaState>()

  function stateOf(oa: OaCredentials): OaState {
    const key = `${oa.shopId}/${oa.oaId}`
    let state = states.get(key)
    if (!state) {
      state = {}
      states.set(key, state)
    }
    return state
  }

  async function renew(oa: OaCredentials, staleToken: string, state: OaState): Promise<string | undefined> {
    if (state.unsaved) return store(oa, staleToken, state, state.unsaved)
    const stored = { ...oa, ...withoutUndefined(await options.load(oa)) }
    if (stored.accessToken && stored.accessToken !== staleToken) {
      return adopt(state, staleToken, stored.accessToken)
    }
    const missing = missingOf(stored)
    if (missing !== undefined) {
      if (isRefused(state, '')) return undefined
      state.refusedUntil = { refreshToken: '', until: now().getTime() + timings.tokenRefusedMs }
      return noted(oa, { cause: `no ${missing}`, isRefusal: true })
    }
    if (!canRenew(stored, state)) return undefined
    if (options.claim === undefined) return ask(oa, staleToken, state, stored)
    return renewClaimed(oa, staleToken, state)
  }

  /** Renews the token when no other process is doing so, if it is still necessary then. */
  async function renewClaimed(
    oa: OaCredentials,
    staleToken: string,
    state: OaState,
  ): Promise<string | undefined> {
    const leaseMs = timings.platformTimeoutMs + timings.tokenClaimMarginMs
    const giveUpAt = performance.now() + leaseMs + timings.tokenClaimMarginMs
    for (;;) {
      const claim = await options.claim?.(oa, leaseMs)
      try {
        // Read after the claim: the previous holder may have stored a pair.
        const stored = { ...oa, ...withoutUndefined(await options.load(oa)) }
        if (stored.accessToken && stored.accessToken !== staleToken) {
          return adopt(state, staleToken, stored.accessToken)
        }
        if (claim) return canRenew(stored, state) ? await ask(oa, staleToken, state, stored) : undefined
      } finally {
        // Does nothing if storing a pair has already ended the claim. A pair that could not be stored keeps it: others
        // would use its refresh token a second time.
        if (claim && state.unsaved === undefined) await options.release?.(oa, claim)
      }
      if (performance.now() > giveUpAt)
        throw new RenewalFailed('another process has not finished the renewal')
      await pause(timings.tokenClaimPauseMs * (0.5 + Math.random()))
    }
  }

  function canRenew(stored: StoredTokens, state: OaState): stored is Required<StoredTokens> {
    const { refreshToken, appId, secretKey } = stored
    if (!refreshToken || !appId || !secretKey) return false
    return !isRefused(state, refreshToken)
  }

  async function ask(
    oa: OaCredentials,
    staleToken: string,
    state: OaState,
    { refreshToken, appId, secretKey }: Required<StoredTokens>,
  ): Promise<string | undefined> {
    const answer = await requestPair(
      { ...options, timeoutMs: timings.platformTimeoutMs },
      { appId, appSecret: secretKey },
      { grant_type: 'refresh_token', refresh_token: refreshToken },
    )
    if (answer.pair)
      return store(oa, staleToken, state, { pair: answer.pair, usedRefreshToken: refreshToken })
    options.log?.warn({ oaId: oa.oaId, cause: answer.cause }, 'access token could not be renewed')
    // The refused token may no longer be the stored one: the account may have been reconnected.
    const looks = answer.code === USED_TOKEN ? RELOAD_TRIES : answer.isRefusal ? 1 : 0
    const other = await newerToken(oa, staleToken, looks)
    if (other) return adopt(state, staleToken, other)
    const { cause = 'request failed', isRefusal = false } = answer
    await noted(oa, { cause, isRefusal })
    if (!isRefusal) throw new RenewalFailed(cause)
    state.refusedUntil = { refreshToken, until: now().getTime() + timings.tokenRefusedMs }
    return undefined
  }

  /** There is no token in any case, so a failure to record this makes no difference to the call. */
  async function noted(
    oa: OaCredentials,
    failure: { cause: string; isRefusal: boolean },
  ): Promise<undefined> {
    await options.failed?.(oa, failure).catch((error: unknown) => {
      options.log?.warn({ oaId: oa.oaId, err: error }, 'a failed renewal could not be recorded')
    })
    return undefined
  }

  function isRefused({ refusedUntil }: OaState, refreshToken: string): boolean {
    return refusedUntil?.refreshToken === refreshToken && refusedUntil.until > now().getTime()
  }

  async function store(
    oa: OaCredentials,
    staleToken: string,
    state: OaState,
    renewed: NonNullable<OaState['unsaved']>,
  ): Promise<string | undefined> {
    const { pair, usedRefreshToken } = renewed
    state.unsaved = renewed
    const isStored = await options.save(oa, pair, usedRefreshToken)
    state.unsaved = undefined
    if (isStored) return adopt(state, staleToken, pair.accessToken)
    const other = await newerToken(oa, staleToken, 1)
    if (other === undefined) throw new RenewalFailed('the account was changed meanwhile')
    return adopt(state, staleToken, other)
  }

  function adopt(state: OaState, from: string, to: string): string {
    state.replaced = { from, to }
    return to
  }

  /** The stored token, as soon as it differs from the stale one. */
  async function newerToken(
    oa: OaCredentials,
    staleToken: string,
    looks: number,
  ): Promise<string | undefined> {
    for (let attempt = 0; attempt < looks; attempt += 1) {
      if (attempt > 0) await pause(timings.tokenReloadPauseMs)
      const token = (await options.load(oa))?.accessToken
      if (token && token !== staleToken) return token
    }
    return undefined
  }

  return {
    async current(oa) {
      const { replaced } = stateOf(oa)
      const token =
        oa.accessToken || (await options.load(oa))?.accessToken || options.defaultAccessToken?.(oa)
      if (!token) throw new NoAccessToken(oa.oaId)
      return replaced?.from === token ? replaced.to : token
    },

    async refresh(oa, staleToken) {
      const state = stateOf(oa)
      if (state.replaced?.from === staleToken) return state.replaced.to
      state.flight ??= renew(oa, staleToken, state).finally(() => {
        state.flight = undefined
      })
      return state.flight
    },
  }
}

function missingOf({ refreshToken, appId, secretKey }: StoredTokens): string | undefined {
  if (!refreshToken) return 'refresh token'
  if (!appId) return 'app'
  return secretKey ? undefined : 'app secret'
}

function withoutUndefined(stored: StoredTokens | undefined): StoredTokens {
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([, value]) => value))
}
