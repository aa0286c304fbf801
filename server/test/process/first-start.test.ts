import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { freePorts, http, startService, temporaryFolder } from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

describe('what the start prints', () => {
  it('the demo’s key at the first start only; a later one prints no secret and names its file, whose key works', async () => {
    const env = {
      DATA_DIR: join(folder.path, 'data'),
      DEMO: '1',
      PLATFORM: 'simulator',
      OPERATOR_TOKEN: '',
      ...(await freePorts()),
    }
    const printed = async () => {
      const service = await startService(env)
      await eventually(async () => service.output().includes('operator token'))
      return { service, output: service.output() }
    }
    const kept = (name: string) => readFileSync(join(env.DATA_DIR, name), 'utf8').trim()

    const first = await printed()
    const secrets = [
      'demo-api-key',
      'demo-owner-password',
      'operator-token',
      'secrets-key',
      'simulator-secret',
    ].map(kept)
    expect(first.output).toContain(kept('demo-api-key'))
    await first.service.end('SIGTERM')

    const later = await printed()
    for (const secret of secrets) expect(later.output).not.toContain(secret)
    expect(later.output).not.toMatch(/sb_live_/)
    expect(later.output).toContain(join(env.DATA_DIR, 'demo-api-key'))
    const products = await http(later.service.url, 'GET', '/api/external/v1/products?limit=1', undefined, {
      'x-api-key': `service-partner ${kept('demo-api-key')}`,
    })
    expect(products.status).toBe(200)
    await later.service.end('SIGTERM')
  }, 90_000)
})
