import { sql } from 'kysely'
import { eventually, makeShop, type Partner, type Service } from './service.ts'
import {
  type EnabledTemplate,
  type EnabledTemplateOverrides,
  insertEnabledTemplate,
  topUp,
  VALUES,
} from './templates.ts'

export const BATCHES = '/api/external/notify-message/batches'

/** Params without a one-time password; no limit applies to their recipients. */
const PLAIN_PARAMS = [{ key: 'customer_name', label: 'Tên khách', techSetting: '1', maxLength: 30 }]
export const PLAIN_VALUES = { customer_name: 'Trần Bình' }
export { VALUES as OTP_VALUES }

export type BatchShop = { shop: Partner; template: EnabledTemplate }

/** A shop with money and an approved template without a one-time password. */
export async function makeBatchShop(
  running: Service,
  money = 1_000_000,
  overrides: EnabledTemplateOverrides = {},
): Promise<BatchShop> {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId, { params: PLAIN_PARAMS, ...overrides })
  if (money > 0) await topUp(running, shop.shopId, money)
  return { shop, template }
}

/** `n` different numbers. They end in 0, which has no special meaning to the simulator. */
export function phones(n: number, prefix = '09'): string[] {
  return Array.from({ length: n }, (_, i) => `${prefix}${10_000_100 + i * 10}`)
}

export function batchTo({ template }: BatchShop, receivers: string[], more: Record<string, unknown> = {}) {
  const messages = receivers.map((receiverPhone) => ({ receiverPhone, params: PLAIN_VALUES }))
  return { templateId: template.id, messages, ...more }
}

export const walletOf = async ({ shop }: BatchShop) => (await shop.get('/api/external/wallet')).body

export const readBatch = async ({ shop }: BatchShop, id: string) =>
  (await shop.get(`${BATCHES}/${id}`)).body.data

/** Waits until nothing of the batch is left to send. @returns the batch */
export const whenBatchDone = (sender: BatchShop, id: string) =>
  eventually(async () => {
    const batch = await readBatch(sender, id)
    return batch.status === 'DONE' && batch
  }, 60_000)

// biome-ignore lint/suspicious/noExplicitAny: rows of one table, read by column
export async function messageRows(running: Service, shopId: string): Promise<any[]> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { rows } = await sql<any>`
    select * from messages where shop_id = ${shopId} order by id`.execute(running.deps.db)
  return rows
}
