import { useSuspenseQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { sendForShop } from '../api/client.ts'
import { sessionAgain } from '../api/expiry.ts'
import { queryClient } from '../api/query.ts'
import { type Me, type MemberShop, meQuery } from '../api/session.ts'
import { dropCopies } from '../screens/pos/left-sales.ts'

const KEY = 'shopbell.shop'

/** Where the session storage has the person whose window this is. */
export const PERSON = 'shopbell.person'

/** Remembers the shop for this window over a reload, and for windows that are opened later. */
function remember(shopId: string): void {
  sessionStorage.setItem(KEY, shopId)
  localStorage.setItem(KEY, shopId)
}

/** Clears the window's stored input and requests when somebody else signs in. */
function ownWindow(userId: string): void {
  const before = sessionStorage.getItem(PERSON)
  if (before === userId) return
  if (before !== null) {
    sessionStorage.clear()
    dropCopies()
  }
  sessionStorage.setItem(PERSON, userId)
}

type Session = {
  user: Me['user']
  shops: MemberShop[]
  /** Undefined for an operator who is a member of no shop. */
  shop: MemberShop | undefined
  /** Whether the member's role may change the shop's data. */
  canWrite: boolean
  isOwner: boolean
  /** How to reach the operator; undefined if they have not said. */
  operatorContact: string | undefined
  chooseShop(id: string): void
}

const SessionContext = createContext<Session | undefined>(undefined)

/** Provides the signed-in member and the current shop, whose id is sent with every request of the pages below. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data } = useSuspenseQuery(meQuery)
  const [last, setLast] = useState(data)
  if (data !== null && data !== last) setLast(data)
  // The session is over, but the page stays with its input.
  const isOver = data === null && last !== null
  useEffect(() => {
    if (isOver) void sessionAgain()
  }, [isOver])
  const me = data ?? last
  if (me !== null) ownWindow(me.user._id)
  // This window's own choice first, because another window may have chosen another shop since.
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY))
  const shop = me?.shops.find(({ _id }) => _id === chosen) ?? me?.shops[0]
  sendForShop(shop?._id)
  useEffect(() => {
    if (shop !== undefined) remember(shop._id)
  }, [shop])
  const session = useMemo<Session | undefined>(
    () =>
      me === null
        ? undefined
        : {
            user: me.user,
            shops: me.shops,
            shop,
            canWrite: shop !== undefined && shop.role !== 'viewer',
            isOwner: shop?.role === 'owner',
            operatorContact: me.operatorContact ?? undefined,
            chooseShop(id) {
              remember(id)
              setChosen(id)
              queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
            },
          },
    [me, shop],
  )
  if (session === undefined) return null
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('no session above this component')
  return session
}
