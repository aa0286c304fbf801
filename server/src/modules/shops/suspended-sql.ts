import { type RawBuilder, sql } from 'kysely'

/** Whether nothing may be sent for the shop of a row at present (G-69): it waits until the shop is resumed. */
export function isSuspended(shopId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
          select
          from shops suspended
          where suspended.id = ${shopId} and suspended.suspended_at is not null
        )`
}
