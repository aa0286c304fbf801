import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal, success } from './answers.ts'
import { asJson, asText, type Json } from './read.ts'
import { nowMs, type Oa, oaOf, type State } from './state.ts'

const ACCESS_TOKEN_SECONDS = 90_000
/** Three months. */
const REFRESH_TOKEN_DAYS = 90
const MAX_TOKENS = 10_000
export const OA_ID = /^[\w-]{1,64}$/

/**
 * The OA of a call's access token. `sim:<oaId>` needs no sign-in and works until a control call expires that OA's
 * tokens.
 * @throws Refusal -216 for a missing or unknown token, -220 for an expired one.
 */
export function authenticate(state: State, req: FastifyRequest): Oa {
  const token = asText(req.headers.access_token)
  if (token.startsWith('sim:')) {
    const oaId = token.slice(4)
    if (!OA_ID.test(oaId)) throw new Refusal(-216, 'Access token is invalid')
    const oa = oaOf(state, oaId)
    if (oa.tokenGeneration > 0) throw new Refusal(-220, 'Access token is expired')
    return oa
  }
  const issued = state.tokens.get(token)
  if (!issued) throw new Refusal(-216, 'Access token is invalid')
  const oa = oaOf(state, issued.oaId)
  if (issued.generation < oa.tokenGeneration || issued.expiresAt <= nowMs(state)) {
    throw new Refusal(-220, 'Access token is expired')
  }
  return oa
}

/** Expires all current access tokens of an OA. */
export function expireTokens(state: State, oaId: string): void {
  oaOf(state, oaId).tokenGeneration += 1
  state.onChange()
}

function oauthError(code: number, name: string, reason: string) {
  return { error: code, error_name: name, error_reason: reason, error_description: reason }
}

function issue(state: State, oaId: string) {
  const accessToken = `sima-${randomUUID()}`
  const refreshToken = `simr-${randomUUID()}`
  const expiresAt = nowMs(state) + ACCESS_TOKEN_SECONDS * 1000
  state.tokens.set(accessToken, { oaId, generation: oaOf(state, oaId).tokenGeneration, expiresAt })
  const refreshEndsAt = nowMs(state) + REFRESH_TOKEN_DAYS * 86_400_000
  state.refreshTokens.set(refreshToken, { oaId, expiresAt: refreshEndsAt })
  dropOldest(state.tokens)
  dropOldest(state.refreshTokens)
  dropOldest(state.usedRefreshTokens)
  state.onChange()
  return { access_token: accessToken, refresh_token: refreshToken, expires_in: String(ACCESS_TOKEN_SECONDS) }
}

function dropOldest(table: Map<string, unknown> | Set<string>): void {
  if (table.size <= MAX_TOKENS) return
  for (const key of table.keys()) {
    table.delete(key)
    return
  }
}

export function oauthRoutes(app: FastifyInstance, state: State): void {
  app.post('/v4/oa/access_token', async (req) => {
    const body = asJson(req.body)
    if (!req.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      return oauthError(-14002, 'Invalid request', 'The body must be form-encoded')
    }
    const { appId, appSecret } = state.settings
    if (!req.headers.secret_key)
      return oauthError(-14004, 'Invalid secret key', 'The header secret_key is missing')
    if (!asText(body.app_id)) return oauthError(-14002, 'Invalid app id', 'app_id is missing')
    if (appSecret !== undefined && body.app_id !== appId)
      return oauthError(-14002, 'Invalid app id', 'There is no such app')
    if (appSecret !== undefined && req.headers.secret_key !== appSecret)
      return oauthError(-14004, 'Invalid secret key', 'The header secret_key is not the app secret')
    if (body.grant_type === 'authorization_code') return exchangeCode(state, body)
    if (body.grant_type === 'refresh_token') return refresh(state, asText(body.refresh_token))
    return oauthError(-14002, 'Invalid grant type', 'grant_type must be authorization_code or refresh_token')
  })

  app.get('/v2.0/oa/getoa', async (req) => {
    const { id, name } = authenticate(state, req)
    return success({ oa_id: id, name, description: '', is_verified: false, num_follower: '0' })
  })
}

/**
 * Exchanges a consent code for a pair of tokens: once, before the code expires, and only with the verifier of its
 * challenge.
 */
function exchangeCode(state: State, body: Json) {
  const code = state.consentCodes.get(asText(body.code))
  state.consentCodes.delete(asText(body.code))
  if (code === undefined || code.expiresAt <= nowMs(state) || code.appId !== body.app_id) {
    return oauthError(-14008, 'Invalid code', 'The code is unknown, was already used or is too old')
  }
  const challenge = createHash('sha256').update(asText(body.code_verifier)).digest('base64url')
  if (challenge !== code.challenge) {
    return oauthError(-14010, 'Invalid code verifier', 'code_verifier does not match the code_challenge')
  }
  return issue(state, code.oaId)
}

/**
 * Exchanges a refresh token, which works once, for the next pair; `simr:<oaId>` is the first refresh token of any OA.
 */
function refresh(state: State, used: string) {
  const issued = state.refreshTokens.get(used)
  const first = used.startsWith('simr:') ? used.slice(5) : ''
  const oaId = issued?.oaId ?? (OA_ID.test(first) ? first : undefined)
  if (oaId === undefined || state.usedRefreshTokens.has(used)) {
    return oauthError(-14014, 'Invalid refresh token', 'The refresh token is unknown or was already used')
  }
  state.refreshTokens.delete(used)
  state.usedRefreshTokens.add(used)
  if (issued !== undefined && issued.expiresAt <= nowMs(state)) {
    return oauthError(-14015, 'Expired refresh token', 'The refresh token is more than three months old')
  }
  return issue(state, oaId)
}
