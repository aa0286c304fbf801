import { createShopbell } from '@shopbell/client'
import { currentLanguage } from '../texts/language.tsx'

/** The shop that requests are for: a member may have several. */
let shopId: string | undefined

export function sendForShop(id: string | undefined): void {
  shopId = id
}

/**
 * The service's API with the session's cookie. `x-shop-id` names the shop; being no simple header, it also keeps
 * other sites' pages from making the request.
 */
export const api = createShopbell({
  baseUrl: location.origin,
  fetch: async (request) => {
    if (shopId !== undefined) request.headers.set('x-shop-id', shopId)
    request.headers.set('accept-language', currentLanguage())
    return fetch(request)
  },
})
