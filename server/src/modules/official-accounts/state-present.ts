import type { Circuit, Endpoint } from '../../platform/breaker.ts'
import type { AccountRow } from './state-sql.ts'
import { stopsAt } from './tokens/rules.ts'

/**
 * An official account with the circuits of its endpoints. `isTokenNeeded`: the platform is a real one, which refuses every call
 * of an account that was linked without a token.
 */
export function presentAccount(
  row: AccountRow,
  circuits: readonly (readonly [Endpoint, Circuit])[],
  isTokenNeeded: boolean,
) {
  const stops = row.disconnected_at === null ? null : stopsAt(row)
  return {
    _id: row.id,
    id: row.id,
    oaId: row.oa_id,
    name: row.name,
    status: statusOf(row, isTokenNeeded),
    ...(stops === null ? {} : { stopsAt: stops.toISOString() }),
    ...(row.token_refreshed_at === null ? {} : { tokenRefreshedAt: row.token_refreshed_at.toISOString() }),
    breaker: circuits.map(([endpoint, circuit]) => ({
      endpoint,
      state: circuit.state,
      retryAt: circuit.state === 'open' ? circuit.retryAt.toISOString() : null,
    })),
  }
}

function statusOf(row: AccountRow, isTokenNeeded: boolean): 'CONNECTED' | 'NOT_CONNECTED' | 'DISCONNECTED' {
  if (row.disconnected_at !== null) return 'DISCONNECTED'
  return row.has_token || !isTokenNeeded ? 'CONNECTED' : 'NOT_CONNECTED'
}
