import { textOf } from '../../http-call.ts'
import { asNumber, asRecord, asText, parseWireJson } from '../wire.ts'

/** A fresh pair. The refresh token can be used once, so losing it means connecting the OA again. */
export type TokenPair = {
  accessToken: string
  refreshToken: string
  /** How long the access token is valid, if the platform states it. */
  expiresInSeconds?: number
}

export type PairAnswer = { pair?: TokenPair; cause?: string; code?: number; isRefusal?: boolean }

/** What a pair is requested with: a consent's code, or a refresh token. */
export type Grant =
  | { grant_type: 'authorization_code'; code: string; code_verifier: string }
  | { grant_type: 'refresh_token'; refresh_token: string }

/**
 * Requests a pair of tokens from the platform; never throws. An error body is never read as a pair, whatever the HTTP
 * status. Source: docs/reference/platform.md, "Calls".
 */
export async function requestPair(
  options: { oauthUrl: string; timeoutMs: number; fetch?: typeof globalThis.fetch },
  app: { appId: string; appSecret: string },
  grant: Grant,
): Promise<PairAnswer> {
  let text: string
  let status: number
  try {
    const response = await (options.fetch ?? fetch)(
      `${options.oauthUrl.replace(/\/$/, '')}/v4/oa/access_token`,
      {
        method: 'POST',
        headers: { secret_key: app.appSecret, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...grant, app_id: app.appId }).toString(),
        redirect: 'manual',
        signal: AbortSignal.timeout(options.timeoutMs),
      },
    )
    status = response.status
    text = await textOf(response)
  } catch (error) {
    return { cause: error instanceof Error ? error.name : 'request failed' }
  }
  return readPair(text, status)
}

function readPair(text: string, status: number): PairAnswer {
  let answer: Record<string, unknown>
  try {
    answer = asRecord(parseWireJson(text))
  } catch {
    return { cause: `HTTP ${status} without JSON` }
  }
  const code = asNumber(answer.error) ?? asNumber(answer.error_code)
  const errorName = asText(answer.error_name)
  if (errorName !== undefined || (code !== undefined && code !== 0)) {
    // A 5xx may come from an intermediary, so it decides nothing about the token.
    return { cause: `refused: ${errorName ?? code}`, code, isRefusal: status < 500 }
  }
  const accessToken = asText(answer.access_token)
  const refreshToken = asText(answer.refresh_token)
  if (status < 200 || status > 299 || !accessToken || !refreshToken) {
    return { cause: `HTTP ${status} without a token pair` }
  }
  const expiresInSeconds = asNumber(answer.expires_in)
  return {
    pair: { accessToken, refreshToken, ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }) },
  }
}
