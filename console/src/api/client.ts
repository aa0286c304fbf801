import { createShopbell } from '@shopbell/client'
import { currentLanguage } from '../texts/language.tsx'
import { reach } from './connection.ts'
import { isExpired, sessionAgain } from './expiry.ts'

/** The shop that requests are for: a member may have several. */
let shopId: string | undefined

export function sendForShop(id: string | undefined): void {
  shopId = id
}

/**
 * Headers of every request: the language of the response's texts, and the request for the details that other sentences
 * need (G-03).
 */
export function languageHeaders(): Record<string, string> {
  return { 'accept-language': currentLanguage(), 'x-validation-detail': '1' }
}

/** When the sale was made that a request sends, in ms: `x-sale-age` is counted from it at each attempt. Never sent itself. */
export const SOLD_AT = 'x-sold-at-ms'

function tellAge({ headers }: Request): void {
  const soldAtMs = headers.get(SOLD_AT)
  if (soldAtMs === null) return
  headers.delete(SOLD_AT)
  headers.set('x-sale-age', String(Math.max(0, Math.ceil((Date.now() - Number(soldAtMs)) / 1_000))))
}

/**
 * The service's API with the session's cookie. `x-shop-id` names the shop; being no simple header, it also keeps
 * other sites' pages from making the request. Once the session is over, a request waits for a sign-in over the page.
 */
export const api = createShopbell({
  baseUrl: location.origin,
  // A person would rather read that the service is busy.
  maxWaitMs: 20_000,
  fetch: async (request) => {
    // What goes on in the background names its own: the shop in front may be another one by now.
    if (shopId !== undefined && !request.headers.has('x-shop-id')) request.headers.set('x-shop-id', shopId)
    for (const [name, value] of Object.entries(languageHeaders())) request.headers.set(name, value)
    const again = request.clone()
    tellAge(request)
    const response = await reach(request)
    if (response.status !== 401 || !(await isExpired())) return response
    await sessionAgain()
    tellAge(again)
    return reach(again)
  },
})
