import { createShopbell } from '@shopbell/client'
import { currentLanguage } from '../texts/language.tsx'
import { fetchFromService } from './connection.ts'
import { isExpired, sessionAgain } from './expiry.ts'
import { serviceNow } from './service-clock.ts'
import { ageOf } from './service-time.ts'

/** The shop that requests are for, since a member may have several. */
let shopId: string | undefined

export function sendForShop(id: string | undefined): void {
  shopId = id
}

/**
 * The headers of every request: the language of the response's texts, and a request for problem details, from which the
 * console makes its own sentences (G-03).
 */
export function languageHeaders(): Record<string, string> {
  return { 'accept-language': currentLanguage(), 'x-validation-detail': '1' }
}

/**
 * A header with the moment of the sale that a request sends, in ms of the service's time. `x-sale-age` is computed from it
 * at each attempt; this header itself is never sent.
 */
export const SOLD_AT = 'x-sold-at-ms'
/** The member who made that sale, who may be another one than signs in when it is sent. */
export const SOLD_BY = 'x-sold-by'

function tellAge({ headers }: Request): void {
  const soldAtMs = headers.get(SOLD_AT)
  if (soldAtMs === null) return
  headers.delete(SOLD_AT)
  headers.set('x-sale-age', String(ageOf(Number(soldAtMs), serviceNow())))
}

/**
 * The service's API, called with the session's cookie. `x-shop-id` names the shop. It is not a simple header, so it
 * also keeps other sites' pages from making the request. When the session is over, a request waits until the person
 * signs in again.
 */
export const api = createShopbell({
  baseUrl: location.origin,
  // After this long a person should see that the service is busy.
  maxWaitMs: 20_000,
  fetch: async (request) => {
    // Background work names its own shop, because another shop may be open by now.
    if (shopId !== undefined && !request.headers.has('x-shop-id')) request.headers.set('x-shop-id', shopId)
    for (const [name, value] of Object.entries(languageHeaders())) request.headers.set(name, value)
    const again = request.clone()
    tellAge(request)
    const response = await fetchFromService(request)
    if (response.status !== 401 || !(await isExpired())) return response
    await sessionAgain()
    tellAge(again)
    return fetchFromService(again)
  },
})
