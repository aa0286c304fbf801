import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Shift } from '../../api/rows.ts'

/** What changes a shift's sums. */
export const STALE = [['shifts']]

/** A shift with its movements of cash; it is read again whenever it is shown. */
export const shiftQuery = (id: string) =>
  queryOptions({
    queryKey: ['shifts', 'one', id],
    staleTime: 0,
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/shifts/{id}', { params: { path: { id } } }))).data,
  })

export type ShiftDetail = Awaited<ReturnType<NonNullable<ReturnType<typeof shiftQuery>['queryFn']>>>

/** The open shift of whoever is signed in; null without one. */
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

/** What a shift took in cash, in đồng, less what it gave back. */
export function cashTaken(shift: Pick<Shift, 'expectedCash' | 'openingCash' | 'cashIn' | 'cashOut'>): number {
  return shift.expectedCash - shift.openingCash - shift.cashIn + shift.cashOut
}

/** What a shift took by all methods, in đồng, less what it gave back. */
export function allTaken({ methods }: Pick<Shift, 'methods'>): number {
  return methods.reduce((sum, { taken, refunded }) => sum + taken - refunded, 0)
}
