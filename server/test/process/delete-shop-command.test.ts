import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  freePorts,
  manageOver,
  OPERATOR_TOKEN,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

describe('shopbell shop delete', () => {
  it('1 and one line that names the shop for another name, and the shop stays; 0 for its own', async () => {
    const DATA_DIR = join(folder.path, 'data')
    const service = await startService({ DATA_DIR, ...(await freePorts()) })
    const made = await manageOver(service.url, 'POST', '/shops', { name: 'Tiệm Hoa' })
    const shopId: string = made.body.data.shop._id
    const deleteAs = (name: string) =>
      run(['--url', service.url, 'shop', 'delete', shopId, '--name', name], { DATA_DIR, OPERATOR_TOKEN })
    const isDeleted = async () =>
      (await manageOver(service.url, 'GET', `/shops/${shopId}`)).body.data.shop.deletion !== null

    expect(await deleteAs('Tiệm Bánh')).toEqual({
      code: 1,
      out: '',
      err: 'shopbell: --name Tiệm Bánh is not the name of this shop, which is "Tiệm Hoa": nothing was changed\n',
    })
    expect(await isDeleted()).toBe(false)
    expect((await deleteAs('Tiệm Hoa '.normalize('NFD'))).code).toBe(0)
    expect(await isDeleted()).toBe(true)
    await service.end('SIGTERM')
  }, 60_000)
})
