import { Type } from 'typebox'
import { literals } from '../../http/validation/validate.ts'
import { QUEUES } from '../../jobs/queue.ts'

const key = { id: Type.String({ description: 'A UUID' }), queue: literals(QUEUES) }
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const jobAnswer = Type.Object({ data: Type.Object(key) })

export const retriedJobAnswer = Type.Object({
  data: Type.Object({ ...key, state: literals(['waiting', 'active']) }),
})

export const failedJobsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      ...key,
      shopId: nullable('null: the shop was erased'),
      shopName: Type.Union([Type.String(), Type.Null()]),
      attempts: Type.Integer(),
      failedAt: Type.String(),
      error: nullable(
        'In English, without numbers and secrets; null: its process ended without reporting one',
      ),
      isNeeded: Type.Boolean({
        description: 'false: what the job was for has ended, so that it can only be deleted',
      }),
    }),
  ),
  meta: Type.Object({ total: Type.Integer() }),
})
