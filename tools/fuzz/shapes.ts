export const KINDS = [
  'product',
  'sku',
  'category',
  'warehouse',
  'customer',
  'order',
  'entry',
  'shift',
  'article',
  'template',
  'approvedTemplate',
  'unfinishedTemplate',
  'newsDraft',
  'audience',
  'message',
  'batch',
  'import',
  'webhook',
  'event',
  'account',
  'key',
  'member',
  'operator',
  'invitation',
  'spareShop',
] as const
export type Kind = (typeof KINDS)[number]

export type Shop = {
  id: string
  /** A word in the names of its records, which no response to the other shop may contain. */
  mark: string
  oaId: string
  /** A key with all scopes, and keys with one scope each. */
  key: string
  scopedKeys: string[]
  /** Cookies of an owner, a member of staff and a viewer. */
  sessions: string[]
  /** Ids of its records that requests may name; the run itself depends on none of them. */
  ids: Record<Kind, string[]>
}

// biome-ignore lint/suspicious/noExplicitAny: read into answers of every shape
export type Answered = { status: number; headers: Record<string, any>; body: any }

/** One valid call, checked like all others. @throws unless the response is a 2xx. */
export type Call = (method: string, path: string, as: Caller, body?: unknown) => Promise<Answered>
export type Caller = { shop: Shop } | 'operator' | 'nobody' | { cookie: string }

export type World = {
  shops: [Shop, Shop]
  call: Call
  webhookUrl: string
  /** People with the password of people.ts whose sessions may end, by what is done with them. */
  emails: { signIn: string; resetPassword: string }
}
