import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Shift } from '../../api/rows.ts'

/** The queries that are stale after a shift's sums change. */
export const STALE = [['shifts']]

/** A shift with its cash movements. It is read again whenever it is shown. */
export const shiftQuery = (id: string) =>
  queryOptions({
    queryKey: ['shifts', 'one', id],
    staleTime: 0,
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/shifts/{id}', { params: { path: { id } } }))).data,
  })

/** The newest payments of a shift, and how many it has. */
export const shiftPaymentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['shifts', 'payments', id],
    staleTime: 0,
    queryFn: async () => {
      const params = { path: { id }, query: { select: 'payments' as const } }
      const { payments = [], methods } = (await dataOf(api.GET('/api/external/v1/shifts/{id}', { params })))
        .data
      return { payments, total: methods.reduce((sum, method) => sum + method.payments, 0) }
    },
  })

export type ShiftDetail = Awaited<ReturnType<NonNullable<ReturnType<typeof shiftQuery>['queryFn']>>>

/** The open shift of the signed-in person; null if there is none. */
export const openShiftQuery = queryOptions({
  queryKey: ['shifts', 'mine'],
  staleTime: 0,
  queryFn: async () => {
    const query = { state: 'open' as const, mine: true, limit: 1 }
    return (await dataOf(api.GET('/api/external/v1/shifts', { params: { query } }))).data[0] ?? null
  },
})

/** Whether the shop works in shifts at all. */
export const hasShiftsQuery = queryOptions({
  queryKey: ['shifts', 'any'],
  queryFn: async () =>
    (await dataOf(api.GET('/api/external/v1/shifts', { params: { query: { limit: 1 } } }))).data.length > 0,
})

/** The cash payments of a shift less its cash refunds, in đồng. */
export function cashTaken(shift: Pick<Shift, 'expectedCash' | 'openingCash' | 'cashIn' | 'cashOut'>): number {
  return shift.expectedCash - shift.openingCash - shift.cashIn + shift.cashOut
}

/** The payments of a shift by all methods less its refunds, in đồng. */
export function totalTaken({ methods }: Pick<Shift, 'methods'>): number {
  return methods.reduce((sum, { taken, refunded }) => sum + taken - refunded, 0)
}
