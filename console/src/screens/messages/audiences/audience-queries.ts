import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Audience } from '../../../api/rows.ts'
import type { Condition } from './conditions.ts'

const MEMBERS_AT_ONCE = 1_000

export const audiencesQuery = queryOptions({
  queryKey: ['audiences', 'list'],
  queryFn: async () => (await dataOf(api.GET('/api/external/v1/audiences'))).data,
})

/** How many customers meet the conditions, counted with as many calls as needed. */
export const countQuery = (match: Audience['match'], conditions: Condition[]) =>
  queryOptions({
    queryKey: ['audiences', 'count', match, conditions],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      let customers = 0
      let withoutPhone = 0
      let after: string | undefined
      do {
        const body = { match, conditions, ...(after !== undefined && { after }) }
        const { data } = await dataOf(api.POST('/api/external/v1/audiences/count', { body, signal }))
        customers += data.customers
        withoutPhone += data.withoutPhone
        after = data.next ?? undefined
      } while (after !== undefined)
      return { customers, withoutPhone }
    },
  })

/** All current customers of an audience. `onRead` gets the number read so far. */
export async function readMembers(id: string, onRead: (count: number) => void) {
  const read = async (after: string | undefined) => {
    const query = { limit: MEMBERS_AT_ONCE, ...(after !== undefined && { after }) }
    const params = { path: { id }, query }
    return (await dataOf(api.GET('/api/external/v1/audiences/{id}/customers', { params }))).data
  }
  let page = await read(undefined)
  const members = page.customers
  while (page.next !== null) {
    onRead(members.length)
    page = await read(page.next)
    members.push(...page.customers)
  }
  return members
}
