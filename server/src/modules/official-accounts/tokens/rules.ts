import type { TokenPair } from '../../../platform/chatapp/tokens/token-request.ts'

const ACCESS_TOKEN_SECONDS = 90_000
const REFRESH_TOKEN_MS = 90 * 24 * 3_600_000

/**
 * How long a pair of tokens that the platform has just issued is valid: the access token for 25 hours unless the platform says
 * otherwise, the refresh token for three months.
 */
export function renewedUntil(
  pair: TokenPair,
  now: Date,
): { accessTokenUntil: Date; refreshTokenUntil: Date } {
  const accessTokenMs = (pair.expiresInSeconds ?? ACCESS_TOKEN_SECONDS) * 1000
  return {
    accessTokenUntil: new Date(now.getTime() + accessTokenMs),
    refreshTokenUntil: new Date(now.getTime() + REFRESH_TOKEN_MS),
  }
}

/**
 * When an account whose tokens are no longer renewed stops working: with its access token if the platform has refused to renew
 * it, with its refresh token if the platform could not be reached. null: unknown, since its tokens were entered by hand.
 */
export function stopsAt(row: {
  is_renewal_refused: boolean
  access_token_until: Date | null
  refresh_token_until: Date | null
}): Date | null {
  return row.is_renewal_refused ? row.access_token_until : row.refresh_token_until
}
