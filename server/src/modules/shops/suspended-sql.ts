import { type RawBuilder, sql } from 'kysely'

/** Condition: the shop is suspended, so nothing may be sent for it until it is resumed (G-69). */
export function isSuspended(shopId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
          select
          from shops suspended
          where suspended.id = ${shopId} and suspended.suspended_at is not null
        )`
}
