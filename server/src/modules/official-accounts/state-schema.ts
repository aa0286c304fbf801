import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { pageMeta, paging } from '../../http/validation/fields.ts'
import { literals } from '../../http/validation/validate.ts'
import { ENDPOINTS } from '../../platform/breaker.ts'

export const accountsQuery = Type.Object({
  ...paging(100, 100),
  ...placeFields,
})

export const accountsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      _id: Type.String(),
      id: Type.String(),
      oaId: Type.String(),
      name: Type.String(),
      status: literals(['CONNECTED', 'NOT_CONNECTED', 'DISCONNECTED'], {
        description:
          'NOT_CONNECTED: linked without an access token, so the platform refuses its calls. DISCONNECTED: its tokens are no longer renewed, and it stops at `stopsAt` unless it is connected again',
      }),
      stopsAt: Type.Optional(
        Type.String({ description: 'For a disconnected account, if known; may be in the past' }),
      ),
      tokenRefreshedAt: Type.Optional(Type.String()),
      breaker: Type.Array(
        Type.Object({
          endpoint: literals(ENDPOINTS),
          state: literals(['closed', 'open', 'half-open'], {
            description:
              'open: calls are refused immediately until `retryAt` and batches wait; half-open: the next call is a trial',
          }),
          retryAt: Type.Union([Type.String(), Type.Null()]),
        }),
        { description: 'As seen by the process that responds; other processes may differ' },
      ),
    }),
  ),
  meta: pageMeta,
})
