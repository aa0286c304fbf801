import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/orders/{id}', { params: { path: { id } } }))).data,
  })

/** The events of an order, oldest first. */
export const timelineQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['orders', 'timeline', orderId],
    queryFn: () =>
      dataOf(api.GET('/api/external/v1/orders/{id}/timeline', { params: { path: { id: orderId } } })),
  })

/** What was returned of an order, and what can still be. Only goods of a completed order come back. */
export const returnsQuery = ({ _id: id, status }: { _id: string; status: string }) =>
  queryOptions({
    queryKey: ['orders', 'returns', id],
    enabled: status === 'completed',
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/orders/{id}/returns', { params: { path: { id } } }))).data,
  })

export type Returns = Awaited<ReturnType<NonNullable<ReturnType<typeof returnsQuery>['queryFn']>>>

type Timeline = Awaited<ReturnType<NonNullable<ReturnType<typeof timelineQuery>['queryFn']>>>
export type Step = Timeline['data'][number]

/** Who sold an order, or who created it if its seller was not recorded. */
export function sellerOf(timeline: Timeline | undefined): Timeline['soldBy'] {
  return timeline?.soldBy ?? timeline?.data.find(({ type }) => type === 'created')?.by ?? null
}

/** Who sold something in the last 92 days. Unlike the members and keys of the shop, every role may read it. */
export const sellersQuery = queryOptions({
  queryKey: ['overview', 'sellers'],
  queryFn: async () => {
    const { data } = await dataOf(api.GET('/api/external/overview', { params: { query: { days: 92 } } }))
    return data.sellers.flatMap(({ by }) => (by === null ? [] : [by]))
  },
})

export type Order = Awaited<ReturnType<NonNullable<ReturnType<typeof orderQuery>['queryFn']>>>

/** The part of an order that a receipt shows. */
export type ReceiptOrder = Pick<
  Order,
  '_id' | 'code' | 'createdAt' | 'originPrice' | 'discount' | 'shippingFee' | 'price' | 'paidAmount'
> & {
  returnedAmount?: number | undefined
  untaxedPrice?: number | undefined
  status?: string | undefined
  user: { fullName: string; phone: string } | null
  orderItems: Pick<Order['orderItems'][number], '_id' | 'name' | 'quantity' | 'price' | 'discount'>[]
}
