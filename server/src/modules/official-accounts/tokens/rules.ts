import type { TokenPair } from '../../../platform/chatapp/tokens/token-request.ts'

const ACCESS_TOKEN_SECONDS = 90_000
const REFRESH_TOKEN_MS = 90 * 24 * 3_600_000

/** Until when a pair works that the platform has just given: the access token 25 hours unless it says otherwise, the refresh token three months. */
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
 * When an account that is no longer renewed stops: with its access token once the platform has refused to renew it, with its
 * refresh token while the platform could not be asked. null: unknown, its tokens were pasted.
 */
export function stopsAt(row: {
  is_renewal_refused: boolean
  access_token_until: Date | null
  refresh_token_until: Date | null
}): Date | null {
  return row.is_renewal_refused ? row.access_token_until : row.refresh_token_until
}
