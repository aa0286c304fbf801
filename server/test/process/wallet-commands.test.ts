import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  freePorts,
  manageOver,
  OPERATOR_TOKEN,
  type Running,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'

const folder = temporaryFolder()
let service: Running
let shopId: string

beforeAll(async () => {
  service = await startService({ DATA_DIR: join(folder.path, 'data'), ...(await freePorts()) })
  shopId = (await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Vải' })).body.data.shop._id
}, 60_000)
afterAll(async () => {
  await service?.end('SIGTERM')
  folder.remove()
})

const wallet = (...args: string[]) =>
  run(['--url', service.url, 'wallet', ...args], { DATA_DIR: join(folder.path, 'data'), OPERATOR_TOKEN })
const balance = async () =>
  (await manageOver(service.url, 'GET', `/shops/${shopId}/wallet`)).body.data.balance as number

describe('shopbell wallet', () => {
  it('prints the amount added and the new balance', async () => {
    expect(await wallet('top-up', shopId, '500000')).toEqual({
      code: 0,
      out: 'added 500000 đồng: balance 500000 đồng, held 0 đồng\n',
      err: '',
    })
    expect((await wallet('correct', shopId, '--note', 'sai', '--', '-500')).out).toBe(
      'added -500 đồng: balance 499500 đồng, held 0 đồng\n',
    )
  })

  it('1 and one line for an amount that is not only digits, and the balance stays', async () => {
    const before = await balance()
    for (const amount of ['500.000', '500,000', '1e3', '0x10', '1.5', '500 000', '500000đ', '']) {
      for (const args of [
        ['top-up', shopId, amount],
        ['correct', shopId, '--note', 'sai', '--', amount],
      ]) {
        expect(await wallet(...args), args.join(' ')).toEqual({
          code: 1,
          out: '',
          err: `shopbell: "${amount}" is not usable: write đồng in digits only, such as 500000\n`,
        })
      }
    }
    expect(await balance()).toBe(before)
  }, 60_000)
})
