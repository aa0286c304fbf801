import { setTimeout as pause } from 'node:timers/promises'
import { TIMINGS, type Timings } from '../timings.ts'
import { textOf } from './http-call.ts'
import type { OaCredentials, PlatformLog } from './types.ts'
import { asNumber, asRecord, asText, parseWireJson } from './wire.ts'

/** Gives the adapter its access tokens. */
export interface TokenStore {
  /** The token to try now. @throws NoAccessToken when the OA has none. */
  current(oa: OaCredentials): Promise<string>
  /** A token other than `staleToken`, or undefined when none can be had; then the OA must be connected again. */
  refresh(oa: OaCredentials, staleToken: string): Promise<string | undefined>
}

/** What is stored of an OA's tokens. */
export type StoredTokens = { accessToken?: string; refreshToken?: string; appId?: string; secretKey?: string }

/** A fresh pair. The refresh token can be used once, so losing it means connecting the OA again. */
export type TokenPair = { accessToken: string; refreshToken: string; expiresAt?: Date }

/** Names one claim to renew. */
export type RenewalClaim = { until: Date }

export type TokenStoreOptions = {
  oauthUrl: string
  /** The newest stored tokens, read past any cache: another process may have renewed them. */
  load(oa: OaCredentials): Promise<StoredTokens | undefined>
  save(oa: OaCredentials, pair: TokenPair): Promise<void>
  /**
   * Claims the renewal for this process for at least `leaseMs`, against all others that share the store; undefined
   * while another has it. `save` ends the claim. Without these two the store is this process's own.
   */
  claim?(oa: OaCredentials, leaseMs: number): Promise<RenewalClaim | undefined>
  /** Ends a claim whose renewal came to nothing. */
  release?(oa: OaCredentials, claim: RenewalClaim): Promise<void>
  /** The token of an OA that has none stored; undefined means it cannot call. */
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

const USED_TOKEN = -14014
const RELOAD_TRIES = 5

type OaState = {
  flight?: Promise<string | undefined>
  /** The last renewal this process knows of: callers may still hold credentials read before it. */
  replaced?: { from: string; to: string }
  /** Renewed on the platform but not stored yet, because `save` failed. */
  unsaved?: TokenPair
  /** A refusal is not asked for again at once, or a batch would repeat it for every message. */
  refusedUntil?: { refreshToken: string; until: number }
}

/**
 * A token store over `load` and `save` that renews at most once at a time for each OA, in this process and, with
 * `claim`, in all that share the store.
 * The new pair is stored before it is used. A token already renewed elsewhere is taken from `load` instead of
 * being renewed again, since a refresh token works once. An error body is never read as a pair, whatever the
 * HTTP status. Source: docs/reference/platform.md, "Calls", token.
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
    if (!canRenew(stored, state)) return undefined
    if (options.claim === undefined) return ask(oa, staleToken, state, stored)
    return renewClaimed(oa, staleToken, state)
  }

  /** Renews once no other process does, if the token is still needed then. */
  async function renewClaimed(
    oa: OaCredentials,
    staleToken: string,
    state: OaState,
  ): Promise<string | undefined> {
    const leaseMs = timings.platformTimeoutMs + timings.tokenClaimMarginMs
    const giveUpAt = performance.now() + leaseMs + timings.tokenClaimMarginMs
    for (;;) {
      const claim = await options.claim?.(oa, leaseMs)
      // Read after the claim: its former holder may have stored a pair.
      const stored = { ...oa, ...withoutUndefined(await options.load(oa)) }
      if (stored.accessToken && stored.accessToken !== staleToken) {
        if (claim) await options.release?.(oa, claim)
        return adopt(state, staleToken, stored.accessToken)
      }
      if (claim) {
        const token = canRenew(stored, state) ? await ask(oa, staleToken, state, stored) : undefined
        if (token === undefined) await options.release?.(oa, claim)
        return token
      }
      if (performance.now() > giveUpAt) return undefined
      await pause(timings.tokenClaimPauseMs * (0.5 + Math.random()))
    }
  }

  function canRenew(stored: StoredTokens, { refusedUntil }: OaState): stored is Required<StoredTokens> {
    const { refreshToken, appId, secretKey } = stored
    if (!refreshToken || !appId || !secretKey) return false
    return refusedUntil?.refreshToken !== refreshToken || refusedUntil.until <= now().getTime()
  }

  async function ask(
    oa: OaCredentials,
    staleToken: string,
    state: OaState,
    { refreshToken, appId, secretKey }: Required<StoredTokens>,
  ): Promise<string | undefined> {
    const answer = await requestPair(
      { ...options, timeoutMs: timings.platformTimeoutMs },
      { refreshToken, appId, secretKey },
      now(),
    )
    if (answer.pair) return store(oa, staleToken, state, answer.pair)
    options.log?.warn({ oaId: oa.oaId, cause: answer.cause }, 'access token could not be renewed')
    if (answer.code === USED_TOKEN) {
      const other = await tokenOfAnotherProcess(oa, staleToken)
      if (other) return adopt(state, staleToken, other)
    }
    if (answer.isRefusal) {
      state.refusedUntil = { refreshToken, until: now().getTime() + timings.tokenRefusedMs }
    }
    return undefined
  }

  async function store(
    oa: OaCredentials,
    staleToken: string,
    state: OaState,
    pair: TokenPair,
  ): Promise<string> {
    state.unsaved = pair
    await options.save(oa, pair)
    state.unsaved = undefined
    return adopt(state, staleToken, pair.accessToken)
  }

  function adopt(state: OaState, from: string, to: string): string {
    state.replaced = { from, to }
    return to
  }

  async function tokenOfAnotherProcess(oa: OaCredentials, staleToken: string): Promise<string | undefined> {
    for (let attempt = 0; attempt < RELOAD_TRIES; attempt += 1) {
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

type PairAnswer = { pair?: TokenPair; cause?: string; code?: number; isRefusal?: boolean }

async function requestPair(
  options: TokenStoreOptions & { timeoutMs: number },
  credentials: { refreshToken: string; appId: string; secretKey: string },
  now: Date,
): Promise<PairAnswer> {
  let text: string
  let status: number
  try {
    const response = await (options.fetch ?? fetch)(
      `${options.oauthUrl.replace(/\/$/, '')}/v4/oa/access_token`,
      {
        method: 'POST',
        headers: { secret_key: credentials.secretKey, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          refresh_token: credentials.refreshToken,
          app_id: credentials.appId,
          grant_type: 'refresh_token',
        }).toString(),
        redirect: 'manual',
        signal: AbortSignal.timeout(options.timeoutMs),
      },
    )
    status = response.status
    text = await textOf(response)
  } catch (error) {
    return { cause: error instanceof Error ? error.name : 'request failed' }
  }
  return readPair(text, status, now)
}

function readPair(text: string, status: number, now: Date): PairAnswer {
  let answer: Record<string, unknown>
  try {
    answer = asRecord(parseWireJson(text))
  } catch {
    return { cause: `HTTP ${status} without JSON` }
  }
  const code = asNumber(answer.error) ?? asNumber(answer.error_code)
  const errorName = asText(answer.error_name)
  if (errorName !== undefined || (code !== undefined && code !== 0)) {
    return { cause: `refused: ${errorName ?? code}`, code, isRefusal: true }
  }
  const accessToken = asText(answer.access_token)
  const refreshToken = asText(answer.refresh_token)
  if (status < 200 || status > 299 || !accessToken || !refreshToken) {
    return { cause: `HTTP ${status} without a token pair` }
  }
  const expiresInSeconds = asNumber(answer.expires_in)
  const expiresAt =
    expiresInSeconds === undefined ? undefined : new Date(now.getTime() + expiresInSeconds * 1000)
  return { pair: { accessToken, refreshToken, ...(expiresAt ? { expiresAt } : {}) } }
}

function withoutUndefined(stored: StoredTokens | undefined): StoredTokens {
  return Object.fromEntries(Object.entries(stored ?? {}).filter(([, value]) => value))
}
