import { eventually } from './eventually.ts'
import { type HttpAnswer, http, manageOver } from './process.ts'

/** A shop over HTTP that can send: an official account, money, and an approved template without an OTP. */
export type SendingShop = {
  shopId: string
  apiKey: string
  templateId: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<HttpAnswer>
}

/** The credentials that the simulator signs with and accepts, for a service that has it as a configured platform. */
export const SIMULATOR_CREDENTIALS = { appId: 'simulator', secretKey: 'simulator-secret' }

/** Creates such a shop on a running service. Its template passes the simulator's review. */
export async function makeSendingShop(
  url: string,
  money = 10_000_000,
  credentials?: typeof SIMULATOR_CREDENTIALS,
): Promise<SendingShop> {
  const made = await manageOver(url, 'POST', '/shops', { name: 'Tiệm Gốm Bát Tràng' })
  const shopId: string = made.body.data.shop._id
  const call: SendingShop['call'] = (method, path, body, headers) =>
    http(url, method, path, body, { ...headers, 'x-api-key': `service-partner ${made.body.data.apiKey}` })
  const oaId = `oa-${shopId}`
  await manageOver(url, 'POST', `/shops/${shopId}/official-accounts`, {
    oaId,
    name: 'Gốm Bát Tràng',
    ...(credentials === undefined ? {} : { ...credentials, accessToken: `sim:${oaId}` }),
  })
  await manageOver(url, 'POST', `/shops/${shopId}/wallet/entries`, { amount: money, note: 'nạp ví' })
  const template = await call('POST', '/api/external/notify-template/create', orderTemplate(oaId))
  const templateId: string = template.body.template._id
  const published = await call('POST', `/api/external/notify-template/${templateId}/publish`)
  if (published.status !== 200) throw new Error(`publish: ${JSON.stringify(published.body)}`)
  await eventually(async () => {
    const read = await call('GET', `/api/external/notify-template/${templateId}`)
    return read.body.data.status === 'ENABLE'
  }, 20_000)
  return { shopId, apiKey: made.body.data.apiKey, templateId, call }
}

/** An order confirmation as a shop would write it (E1). */
export function orderTemplate(oaId: string, name = 'Xác nhận đơn hàng') {
  return {
    oaId,
    name,
    title: 'Đơn hàng <order_code> đã được xác nhận',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: 'https://images.example/logo-light.png',
    logoDark: 'https://images.example/logo-dark.png',
    contentBlocks: [
      {
        id: '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4e',
        type: 'paragraph',
        value: 'Cảm ơn <customer_name> đã đặt hàng.',
      },
    ],
    buttons: [],
    params: [
      { key: 'customer_name', label: 'Tên khách hàng', techSetting: '1', sampleValue: 'Nguyễn Văn An' },
      { key: 'order_code', label: 'Mã đơn hàng', techSetting: '4', sampleValue: 'DH1024' },
    ],
    isCustomParams: true,
  }
}
