import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { SmsSender } from '../../../api/rows.ts'

const of = (shopId: string) => ({ params: { path: { id: shopId } } })

export const shopQuery = (shopId: string) =>
  queryOptions({
    queryKey: ['operator', 'shop', shopId],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}', of(shopId))),
  })

export const walletQuery = (shopId: string) =>
  queryOptions({
    queryKey: ['operator', 'wallet', shopId],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}/wallet', of(shopId))),
  })

export const accountsQuery = (shopId: string) =>
  queryOptions({
    queryKey: ['operator', 'accounts', shopId],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}/official-accounts', of(shopId))),
  })

export const peopleQuery = (shopId: string) =>
  queryOptions({
    queryKey: ['operator', 'people', shopId],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}/members', of(shopId))),
  })

export const senderQuery = (shopId: string) =>
  queryOptions({ queryKey: ['operator', 'sms-sender', shopId], queryFn: () => readSender(shopId) })

/** What the form edits of a sender. A shop without a sender has a version, but no price. */
export type Edited = { __v: number; brandname: string; price: number | null }

export async function readSender(shopId: string): Promise<{ sender: SmsSender | null; edited: Edited }> {
  const answer = await api.GET('/api/manage/v1/shops/{id}/sms', { params: { path: { id: shopId } } })
  const { data: sender } = await dataOf(Promise.resolve(answer))
  const version = /^"(\d+)/.exec(answer.response.headers.get('etag') ?? '')?.[1]
  return { sender, edited: sender ?? { __v: Number(version), brandname: '', price: null } }
}
