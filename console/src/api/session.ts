import { queryOptions } from '@tanstack/react-query'
import { languageHeaders } from './client.ts'
import { fetchFromService, isServiceAway } from './connection.ts'
import { problemOf } from './problem.ts'
import type { Shop } from './rows.ts'

export type Role = 'owner' | 'staff' | 'viewer'
/** The shop's data that the counter prints and shows. */
export type Profile = Pick<Shop, 'address' | 'phone' | 'taxCode' | 'printNote' | 'printPaper' | 'bank'>
export type MemberShop = {
  _id: string
  name: string
  role: Role
  language: 'vi' | 'en'
  /** With this many available pieces or fewer, a stocked product is low on stock (G-126). */
  lowStockAt: number
  profile: Profile
  /** The end of an operator's visit to a shop of which they are not a member. */
  visitUntil?: string | null
}
export type Me = {
  user: { _id: string; name: string; email: string; isOperator: boolean }
  /** How to reach the operator, in the operator's own words. */
  operatorContact?: string | null
  shops: MemberShop[]
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...languageHeaders() },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw await problemOf(response, await response.json().catch(() => undefined))
}

/** Where the local storage has the signed-in person. */
export const ME = 'shopbell.me'

/** The person who last signed in here, kept so that the console opens while the service is unavailable. */
function keptMe(): Me | undefined {
  const kept = localStorage.getItem(ME)
  return kept === null ? undefined : (JSON.parse(kept) as Me)
}

function forgetMe(): void {
  localStorage.removeItem(ME)
}

async function readMe(): Promise<Me | null> {
  const response = await fetchFromService(new Request('/api/console/v1/me'))
  if (response.status === 401) return null
  if (!response.ok) throw await problemOf(response, await response.json().catch(() => undefined))
  return (await response.json()).data
}

/** The signed-in person, or null. While the service is unavailable, the last one who signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  // It is queried again when the service is available.
  retry: false,
  queryFn: async (): Promise<Me | null> => {
    try {
      const me = await readMe()
      if (me === null) forgetMe()
      else localStorage.setItem(ME, JSON.stringify(me))
      return me
    } catch (error) {
      const kept = isServiceAway() ? keptMe() : undefined
      if (kept === undefined) throw error
      return kept
    }
  },
})

export type Invited = {
  shopName: string
  email: string
  role: Role
  /** Whether the person already has an account and signs in to accept the invitation. */
  hasAccount: boolean
  /** Whether the account's password must first be set, by a link from the operator or by mail. */
  mustProve: boolean
}

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['me', 'invitation', token],
    queryFn: async (): Promise<Invited> => {
      const response = await fetch(`/api/console/v1/invitations/${encodeURIComponent(token)}`)
      const body = await response.json()
      if (!response.ok) throw await problemOf(response, body)
      return body.data
    },
  })

export const acceptInvitation = (token: string, account: { name?: string; password?: string }) =>
  post(`/api/console/v1/invitations/${encodeURIComponent(token)}/accept`, account)

export const signIn = (email: string, password: string) =>
  post('/api/auth/sign-in/email', { email, password })

export const signOut = () => post('/api/auth/sign-out', {})

export const resetPassword = (token: string, newPassword: string) =>
  post('/api/auth/reset-password', { token, newPassword })
