import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import {
  freePorts,
  http,
  manageOver,
  OPERATOR_TOKEN,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { makeSendingShop, orderTemplate } from '../support/sending.ts'

const OTP = '840273'
const PHONES = ['0912345678', '0912340001']

describe('G-25 G-78 what the log says of a message and of a person', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('neither an OTP nor a phone number, at the finest level, whatever becomes of the message', async () => {
    const env = {
      DATA_DIR: join(folder.path, 'data'),
      PLATFORM: 'simulator',
      SIMULATOR_REVIEW_MS: '0',
      LOG_LEVEL: 'trace',
      ...(await freePorts()),
    }
    const service = await startService(env)
    const shop = await makeSendingShop(service.url)
    const draft = orderTemplate(`oa-${shop.shopId}`, 'Mã xác thực')
    const otp = { key: 'otp', label: 'Mã OTP', techSetting: '12', maxLength: 10, sampleValue: '123456' }
    const made = await shop.call('POST', '/api/external/notify-template/create', {
      ...draft,
      title: 'Mã xác thực của bạn',
      contentBlocks: [{ ...draft.contentBlocks[0], value: 'Mã của bạn là <otp>.' }],
      params: [otp],
    })
    const templateId: string = made.body.template._id
    await shop.call('POST', `/api/external/notify-template/${templateId}/publish`)
    await eventually(async () => {
      const read = await shop.call('GET', `/api/external/notify-template/${templateId}`)
      return read.body.data.status === 'ENABLE'
    }, 20_000)

    const statuses: number[] = []
    const send = async (receiverPhone: string, params: object) => {
      const body = { templateId, receiverPhone, params }
      statuses.push((await shop.call('POST', '/api/external/notify-message/send', body)).status)
    }
    for (const phone of PHONES) await send(phone, { otp: OTP })
    await send(PHONES[0]!, { otp: OTP, [OTP]: OTP })
    await http(`http://127.0.0.1:${env.SIMULATOR_PORT}`, 'POST', '/control/faults', [
      { kind: 'reset', endpoint: '/message/template', share: 1 },
    ])
    await send(PHONES[0]!, { otp: OTP })
    expect(statuses).toEqual([200, 400, 400, 202])
    for (const what of ['export', 'erase']) {
      const asked = await manageOver(service.url, 'POST', `/shops/${shop.shopId}/people/${what}`, {
        phone: PHONES[1],
      })
      expect(asked.status, JSON.stringify(asked.body)).toBe(200)
    }
    await service.end('SIGTERM')
    const output = service.output()
    const lines = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
    const requests = lines.filter(({ msg, route }) => msg === 'request' && String(route).endsWith('/send'))
    expect(requests.map(({ method, status, shop: shopId }) => ({ method, status, shopId }))).toEqual(
      statuses.map((status) => ({ method: 'POST', status, shopId: shop.shopId })),
    )
    for (const { requestId, ms, caller } of requests) {
      expect(requestId).toMatch(/^[0-9a-f]{24}$/)
      expect(ms).toBeGreaterThan(0)
      expect(caller).toBe(shop.apiKey.slice(0, 12))
    }
    for (const secret of [
      shop.apiKey,
      shop.apiKey.slice(12),
      OPERATOR_TOKEN,
      OTP,
      ...PHONES,
      ...PHONES.map((phone) => `84${phone.slice(1)}`),
    ]) {
      expect(output).not.toContain(secret)
    }
  }, 90_000)
})
