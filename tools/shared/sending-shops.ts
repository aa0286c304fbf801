import { prepareSending, type SendingShop } from './sending.ts'

/** Creates shops on a running service, each with an official account, money and an approved template. */
export async function makeSendingShops(
  url: string,
  operatorToken: string,
  count: number,
): Promise<SendingShop[]> {
  const shops = await Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await fetch(`${url}/api/manage/v1/shops`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorToken}` },
        body: JSON.stringify({ name: 'Tiệm Gió Chướng' }),
      })
      const { data } = (await answer.json()) as { data: { shop: { _id: string }; apiKey: string } }
      return { shopId: data.shop._id, apiKey: data.apiKey }
    }),
  )
  return prepareSending(url, operatorToken, shops)
}
