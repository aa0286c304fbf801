import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDatabase } from '../support/database.ts'
import { freePorts, http, startService, temporaryFolder } from '../support/process.ts'
import { makeSendingShop } from '../support/sending.ts'
import { eventually } from '../support/service.ts'

describe('G-24 a process killed while the platform is called', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('the next start makes the message UNKNOWN within 30 s, with its fee held', async () => {
    const onServer = process.env.TEST_DATABASE_URL === undefined ? undefined : await makeDatabase()
    const env = {
      DATA_DIR: join(folder.path, 'data'),
      SIMULATOR_REVIEW_MS: '0',
      ...(onServer?.url === undefined ? {} : { DATABASE_URL: onServer.url }),
      ...(await freePorts()),
    }
    const service = await startService(env)
    const shop = await makeSendingShop(service.url)
    const simulator = `http://127.0.0.1:${env.SIMULATOR_PORT}`
    await http(simulator, 'POST', '/control/faults', [{ kind: 'hang', endpoint: '/message/template' }])
    const sending = shop.call('POST', '/api/external/notify-message/send', {
      templateId: shop.templateId,
      receiverPhone: '0912345678',
      params: { customer_name: 'An', order_code: 'DH1' },
    })
    const lost = expect(sending).rejects.toThrow()
    const held = async () => (await shop.call('GET', '/api/external/wallet')).body.held
    await eventually(async () => (await held()) > 0)
    await service.end('SIGKILL')
    await lost
    // On a server another process might be the sender: recovery waits for the lease, which here has ended meanwhile.
    if (onServer !== undefined)
      await sql`update messages set lease_until = now() where state = 'SENDING'`.execute(onServer.database.db)

    const next = await startService(env)
    const { body } = await eventually(async () => {
      const entries = await shop.call('GET', '/api/external/wallet/entries?limit=1')
      const { messageId } = entries.body.entries[0]
      const message = await shop.call('GET', `/api/external/notify-message/messages/${messageId}`)
      return message.body.data.status === 'UNKNOWN' && message
    }, 30_000)
    expect(body.data.events.map((event: { kind: string }) => event.kind)).toEqual(['accepted', 'unknown'])
    expect(await held()).toBeGreaterThan(0)
    await next.end('SIGTERM')
    await onServer?.remove()
  }, 90_000)
})
