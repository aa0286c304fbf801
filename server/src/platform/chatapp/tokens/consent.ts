import { callHttp } from '../../http-call.ts'
import { asNumber, asRecord, asText, parseWireJson } from '../wire.ts'
import { type PairAnswer, requestPair } from './token-request.ts'

/** The platform's page where an account's owner gives consent, and the calls that follow it. */
export type Consent = {
  /** The address of the consent page; `challenge` is the SHA-256 of the verifier (PKCE), in base64url. */
  pageAddress(asked: { appId: string; redirectUri: string; challenge: string; state: string }): string
  /** Exchanges the code that the owner came back with for the account's tokens. It works once, within ten minutes. */
  exchange(
    app: { appId: string; appSecret: string },
    consented: { code: string; verifier: string },
  ): Promise<PairAnswer>
  /** The account of an access token; undefined when the platform does not name it. */
  account(accessToken: string): Promise<{ oaId: string; name: string } | undefined>
}

/** Source: docs/reference/platform.md, "Connecting an account". */
export function createConsent(given: { oauthUrl: string; openapiUrl: string; timeoutMs: number }): Consent {
  const { oauthUrl, openapiUrl, timeoutMs } = given
  return {
    pageAddress({ appId, redirectUri, challenge, state }) {
      const query = new URLSearchParams({
        app_id: appId,
        redirect_uri: redirectUri,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state,
      })
      return `${oauthUrl.replace(/\/$/, '')}/v4/oa/permission?${query}`
    },
    exchange: (app, { code, verifier }) =>
      requestPair({ oauthUrl, timeoutMs }, app, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
      }),
    async account(accessToken) {
      try {
        const { text } = await callHttp(`${openapiUrl.replace(/\/$/, '')}/v2.0/oa/getoa`, {
          headers: { access_token: accessToken },
          body: undefined,
          timeoutMs,
        })
        return readAccount(text)
      } catch {
        return undefined
      }
    },
  }
}

function readAccount(text: string): { oaId: string; name: string } | undefined {
  const answer = asRecord(parseWireJson(text))
  const data = asRecord(answer.data)
  const oaId = asText(data.oa_id) ?? asText(data.oaid)
  if ((asNumber(answer.error) ?? 0) !== 0 || oaId === undefined) return undefined
  return { oaId, name: asText(data.name) ?? oaId }
}
