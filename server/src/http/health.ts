import { sql } from 'kysely'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import type { Deps } from '../deps.ts'

const tags = ['Service']
const READY_WITHIN_MS = 2_000

/** `/health/live`: the process answers. `/health/ready`: the database does too, else 503. */
export function healthRoutes(app: App, deps: Deps): void {
  const answer = Type.Object({ status: Type.String() })

  app.get(
    '/health/live',
    { schema: { tags, summary: 'The process answers', response: { 200: answer } } },
    async () => ({ status: 'ok' }),
  )

  app.get(
    '/health/ready',
    { schema: { tags, summary: 'The database answers', response: { 200: answer, 503: answer } } },
    async (_request, reply) => {
      const answered = await Promise.race([
        sql`select 1`.execute(deps.healthDb).then(
          () => true,
          () => false,
        ),
        new Promise<boolean>((resolve) => setTimeout(resolve, READY_WITHIN_MS, false).unref()),
      ])
      if (answered) return { status: 'ok' }
      return reply.code(503).header('retry-after', 2).send({ status: 'the database does not answer' })
    },
  )
}
