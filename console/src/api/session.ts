import { queryOptions } from '@tanstack/react-query'
import { languageHeaders } from './client.ts'
import { Problem } from './problem.ts'

export type Role = 'owner' | 'staff' | 'viewer'
export type MemberShop = { _id: string; name: string; role: Role; language: 'vi' | 'en' }
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

/** Who is signed in; null: nobody. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async (): Promise<Me | null> => {
    const response = await fetch('/api/console/v1/me')
    if (response.status === 401) return null
    if (!response.ok)
      throw new Problem(response.status, await response.json().catch(() => undefined), undefined)
    return (await response.json()).data
  },
})

export type Invited = {
  shopName: string
  email: string
  role: Role
  /** It signs in to take the invitation. */
  hasAccount: boolean
  /** But first its password is set by a link from the operator or by mail. */
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
