import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { freshAddress } from './addresses.ts'
import type { Service } from './service.ts'

/** Posts an event as the platform does; `raw` is sent byte by byte. `path` follows `/hooks/platform`. */
export async function postRaw(
  running: Service,
  path: string,
  raw: string | Buffer | undefined,
  mac: string | undefined,
) {
  const answer = await running.app.inject({
    method: 'POST',
    url: `/hooks/platform${path}`,
    remoteAddress: freshAddress(),
    headers: {
      'content-type': 'application/json',
      ...(mac === undefined ? {} : { 'x-zevent-signature': `mac=${mac}` }),
    },
    ...(raw === undefined ? {} : { payload: raw }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** The signature of an event: the simulator's, unless `signing` is given. */
export function macOf(
  raw: string | Buffer,
  timestamp: string,
  { appId = 'simulator', secret = 'simulator-secret' }: { appId?: string; secret?: string } = {},
): string {
  return createHash('sha256').update(appId).update(raw).update(timestamp).update(secret).digest('hex')
}

/** The events of an official account in the inbox, in the order of arrival. */
export async function storedEvents({ deps }: Service, oaId: string) {
  const { rows } = await sql<{
    id: string
    name: string
    body: Record<string, unknown>
    processed_at: Date | null
    outcome: string | null
  }>`
    select id, name, body, processed_at, outcome
    from platform_events
    where oa_id = ${oaId}
    order by id`.execute(deps.db)
  return rows
}
