import { waitUntil } from './wait.ts'

export type Shop = { shopId: string; apiKey: string }
export type SendingShop = Shop & { templateId: string }

// The values that the simulator signs its events with, for a service that is configured with its addresses.
export const SIMULATOR_SIGNS = { appId: 'simulator', secretKey: 'simulator-secret' }

/** Links an official account, tops the wallet up and gets a template approved in each of `shops`. */
export async function prepareSending(
  url: string,
  operatorToken: string,
  shops: Shop[],
): Promise<SendingShop[]> {
  return Promise.all(shops.map((shop) => prepare(url, operatorToken, shop)))
}

async function prepare(url: string, operatorToken: string, shop: Shop): Promise<SendingShop> {
  const manage = (path: string, body: unknown) =>
    call(
      `${url}/api/manage/v1/shops/${shop.shopId}${path}`,
      { authorization: `Bearer ${operatorToken}` },
      body,
    )
  const external = (path: string, body?: unknown, method = 'POST') =>
    call(
      `${url}/api/external/notify-template${path}`,
      { 'x-api-key': `service-partner ${shop.apiKey}` },
      body,
      method,
    )
  const oaId = `oa-${shop.shopId}`
  await manage('/official-accounts', { oaId, name: 'Bench', ...SIMULATOR_SIGNS })
  await manage('/wallet/entries', { amount: 1_000_000_000, note: 'bench' })
  const made = (await external('/create', {
    oaId,
    name: 'Xác nhận đơn hàng',
    title: 'Đơn hàng <order_code> đã được xác nhận',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: 'https://images.example/light.png',
    logoDark: 'https://images.example/dark.png',
    contentBlocks: [
      {
        id: '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4e',
        type: 'paragraph',
        value: 'Cảm ơn <customer_name> đã đặt hàng.',
      },
    ],
    buttons: [],
    params: [
      { key: 'customer_name', label: 'Tên khách hàng', techSetting: '1', sampleValue: 'An' },
      { key: 'order_code', label: 'Mã đơn hàng', techSetting: '4', sampleValue: 'DH1' },
    ],
    isCustomParams: true,
  })) as { template: { _id: string } }
  const templateId = made.template._id
  await external(`/${templateId}/publish`)
  const isApproved = async () => {
    const read = (await external(`/${templateId}`, undefined, 'GET')) as { data: { status: string } }
    return read.data.status === 'ENABLE'
  }
  if (await waitUntil(isApproved, { everyMs: 100, withinMs: 20_000 })) return { ...shop, templateId }
  throw new Error('the template was not approved in time')
}

async function call(
  url: string,
  headers: Record<string, string>,
  body?: unknown,
  method = 'POST',
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
