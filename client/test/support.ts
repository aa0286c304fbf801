import { makeShop, OPERATOR_TOKEN, type Partner, service } from '../../server/test/support/service.ts'
import { createShopbell, type Shopbell, type ShopbellOptions } from '../src/index.ts'

export const running = await service()
export const baseUrl = `http://127.0.0.1:${(running.app.server.address() as { port: number }).port}`

/** A client over HTTP, for a shop of its own. */
export async function makeClient(
  options: Partial<ShopbellOptions> = {},
): Promise<{ shop: Shopbell; partner: Partner }> {
  const partner = await makeShop(running)
  return { shop: createShopbell({ baseUrl, apiKey: partner.apiKey, ...options }), partner }
}

export function operator(options: Partial<ShopbellOptions> = {}): Shopbell {
  return createShopbell({ baseUrl, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` }, ...options })
}

/** The error that a call rejects with. */
export function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** A fetch that returns these responses first, then the service's; `requests` has the requests made. */
export function answering(...answers: (Response | Error)[]) {
  const requests: Request[] = []
  return {
    requests,
    fetch: async (request: Request): Promise<Response> => {
      requests.push(request.clone())
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer ?? fetch(request)
    },
  }
}

/** A refusal of the service that asks to wait for `after` seconds. */
export function refusal(status: number, after?: number, body: object = {}): Response {
  const headers = after === undefined ? undefined : { 'retry-after': String(after) }
  return Response.json(body, { status, headers })
}
