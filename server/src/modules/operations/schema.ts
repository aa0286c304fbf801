import { Type } from 'typebox'
import { literals } from '../../http/validation/validate.ts'
import { ENDPOINTS } from '../../platform/breaker.ts'

export const queuesAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      waiting: Type.Integer({
        description: 'Waiting for the first attempt, or for the next one after a failure',
      }),
      active: Type.Integer(),
      failed: Type.Integer({ description: 'Failed in the last attempt; deleted after some days' }),
      countedAt: Type.String(),
    }),
  ),
})

export const circuitsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      shopId: Type.String(),
      shopName: Type.String(),
      accountId: Type.String(),
      oaId: Type.String(),
      accountName: Type.String(),
      endpoint: literals(ENDPOINTS),
      state: literals(['closed', 'open', 'half-open'], {
        description: 'closed: calls failed recently, but are still made',
      }),
      retryAt: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'As seen by the process that responds; other processes may differ' },
  ),
})

export const checksAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      isOk: Type.Boolean(),
      says: Type.String({ description: 'What was found, in English' }),
      advice: Type.Union([Type.String(), Type.Null()], {
        description: 'What to do; null if nothing is wrong',
      }),
    }),
  ),
})

export const snapshotAnswer = Type.Object({
  data: Type.Object({
    folder: Type.Union([Type.String(), Type.Null()], {
      description: 'Its name in the data folder; null on PostgreSQL, which has its own tools',
    }),
    totals: Type.Union(
      [
        Type.Object({
          shops: Type.Integer(),
          products: Type.Integer(),
          balance: Type.Integer({ description: 'Of all wallets, in đồng' }),
          held: Type.Integer(),
        }),
        Type.Null(),
      ],
      { description: 'What was in the database at that moment' },
    ),
  }),
})
