import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Database, type Db, isWriteRefused, tryWrite } from '../db/client.ts'
import { within } from '../lib/time/within.ts'
import type { App } from './app-type.ts'

const tags = ['Service']
const READY_WITHIN_MS = 2_000
const AWAY = 'the database does not respond'

/** What readiness depends on: the database, checked over a separate connection, and whether a stop was requested. */
type Parts = { healthDb: Db; database: Database; stopping: { isAsked: boolean } }

/**
 * `/health/live`: the process answers. `/health/ready`: the database also answers and accepts writes, and no stop was
 * requested; otherwise 503.
 */
export function healthRoutes(app: App, deps: Parts): void {
  const answer = Type.Object({ status: Type.String() })

  app.get(
    '/health/live',
    {
      schema: {
        tags,
        operationId: 'checkLiveness',
        summary: 'The process responds',
        response: { 200: answer },
      },
    },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/health/ready',
    {
      schema: {
        tags,
        operationId: 'checkReadiness',
        summary: 'The database responds',
        response: { 200: answer, 503: answer },
      },
    },
    async (_request, reply) => {
      const ofDatabase = await findDatabaseProblem(deps)
      // Checked last, because the stop may have been requested during the database's check.
      const problem = deps.stopping.isAsked ? 'this process is stopping' : ofDatabase
      if (problem === undefined) return { status: 'ok' }
      return reply.code(503).header('retry-after', 2).send({ status: problem })
    },
  )
}

/** The reason why the database cannot serve, if any, within two seconds. */
export async function findDatabaseProblem(deps: Omit<Parts, 'stopping'>): Promise<string | undefined> {
  const { found } = (await within(READY_WITHIN_MS, databaseProblem(deps))) ?? { found: AWAY }
  return found
}

/** After a refused write it counts as ready once it has accepted a write. */
async function databaseProblem({ healthDb, database }: Omit<Parts, 'stopping'>): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ is_read_only: string }>`
      select current_setting('transaction_read_only') as is_read_only`.execute(healthDb)
    if (rows[0]?.is_read_only !== 'on' && !database.writes.areRefused) return undefined
    await tryWrite(healthDb)
    database.writes.areRefused = false
    return undefined
  } catch (error) {
    return isWriteRefused(error) ? 'the database accepts no changes' : AWAY
  }
}
