import { createShopbell } from '@shopbell/client'
import { currentLanguage } from '../texts/language.tsx'

/** The shop that requests are for: a member may have several. */
let shopId: string | undefined

export function sendForShop(id: string | undefined): void {
  shopId = id
}

/** Of every request: the language of the answer's texts, and what is needed to word the others (G-03). */
export function languageHeaders(): Record<string, string> {
  return { 'accept-language': currentLanguage(), 'x-validation-detail': '1' }
}

/**
 * The service's API with the session's cookie. `x-shop-id` names the shop; being no simple header, it also keeps
 * other sites' pages from making the request.
 */
export const api = createShopbell({
  baseUrl: location.origin,
  fetch: async (request) => {
    if (shopId !== undefined) request.headers.set('x-shop-id', shopId)
    for (const [name, value] of Object.entries(languageHeaders())) request.headers.set(name, value)
    return fetch(request)
  },
})
