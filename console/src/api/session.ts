import { queryOptions } from '@tanstack/react-query'
import { languageHeaders } from './client.ts'
import { isServiceAway, reach } from './connection.ts'
import { Problem } from './problem.ts'
import type { Shop } from './rows.ts'

export type Role = 'owner' | 'staff' | 'viewer'
/** What the shop's counter prints and shows. */
type Profile = Pick<Shop, 'address' | 'phone' | 'taxCode' | 'printNote' | 'printPaper' | 'bank'>
export type MemberShop = {
  _id: string
  name: string
  role: Role
  language: 'vi' | 'en'
  profile: Profile
  /** Until when an operator looks at the shop, of which they are no member. */
  visitUntil?: string | null
}
export type Me = {
  user: { _id: string; name: string; email: string; isOperator: boolean }
  shops: MemberShop[]
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...languageHeaders() },
    body: JSON.stringify(body),
  })
  if (!response.ok)
    throw new Problem(response.status, await response.json().catch(() => undefined), undefined)
}

const ME = 'shopbell.me'

/** Who was signed in here last, so that the console opens while the service is away. */
function keptMe(): Me | undefined {
  const kept = localStorage.getItem(ME)
  return kept === null ? undefined : (JSON.parse(kept) as Me)
}

export function forgetMe(): void {
  localStorage.removeItem(ME)
}

async function readMe(): Promise<Me | null> {
  const response = await reach(new Request('/api/console/v1/me'))
  if (response.status === 401) return null
  if (!response.ok)
    throw new Problem(response.status, await response.json().catch(() => undefined), undefined)
  return (await response.json()).data
}

/** The signed-in person; null: nobody. While the service is away, who it was last. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  // It is asked again once the service is back.
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
  /** The person signs in to accept the invitation. */
  hasAccount: boolean
  /** First the account's password must be set by a link from the operator or by mail. */
  mustProve: boolean
}

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['me', 'invitation', token],
    queryFn: async (): Promise<Invited> => {
      const response = await fetch(`/api/console/v1/invitations/${encodeURIComponent(token)}`)
      const body = await response.json()
      if (!response.ok) throw new Problem(response.status, body, undefined)
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
