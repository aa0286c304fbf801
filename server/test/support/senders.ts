import { sql } from 'kysely'
import type { Deps } from '../../src/deps.ts'
import { applyReceipts, type ReceiptOutcome } from '../../src/modules/messages/receipts/apply-receipts.ts'
import type { ReceiptEvent } from '../../src/platform/chatapp/inbound.ts'
import { makeShop, type Partner, type Service } from './service.ts'
import {
  type EnabledTemplate,
  type EnabledTemplateOverrides,
  insertEnabledTemplate,
  topUp,
  VALUES,
} from './templates.ts'

const SEND = '/api/external/notify-message/send'

/** A shop with a template that it can send, and money. */
export type Sender = { shop: Partner; template: EnabledTemplate }

export async function makeSender(
  running: Service,
  overrides: EnabledTemplateOverrides = {},
  money = 10_000,
): Promise<Sender> {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId, overrides)
  if (money > 0) await topUp(running, shop.shopId, money)
  return { shop, template }
}

/** A sender whose `send` fills in what is missing for a valid E5. */
export async function makePhoneSender(
  running: Service,
  overrides: EnabledTemplateOverrides = {},
  money?: number,
) {
  const { shop, template } = await makeSender(running, overrides, money)
  const valid = { templateId: template.id, receiverPhone: '0901234567', params: VALUES }
  const send = (body: object = {}, headers?: Record<string, string>) =>
    shop.post(SEND, { ...valid, ...body }, headers)
  return { shop, template, send }
}

export function sendTo({ shop, template }: Sender, receiverPhone: string) {
  return shop.post(SEND, { templateId: template.id, receiverPhone, params: VALUES })
}

export function sendToUid({ shop, template }: Sender, userUID: string) {
  const body = { templateId: template.id, userUID, templateData: VALUES }
  return shop.post('/api/external/chatapp/uid-notify/send-message', body)
}

/** The columns of a message that tests read. */
export type MessageRow = {
  id: string
  state: string
  session_id: string
  fee: number
  sent_at: Date
  delivered_at: Date | null
}

/** The shop's messages, oldest first. */
export async function rowsOf(running: Service, { shopId }: Partner): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select * from messages where shop_id = ${shopId} order by created_at, id`.execute(running.deps.db)
  return rows
}

export async function walletOf(shop: Partner): Promise<{ balance: number; held: number }> {
  return (await shop.get('/api/external/wallet')).body
}

/** The wallet's entries by type and amount, oldest first. */
export async function entriesOf(shop: Partner): Promise<[string, number][]> {
  const { body } = await shop.get('/api/external/wallet/entries?limit=100')
  return body.entries
    .map((entry: { type: string; amount: number }) => [entry.type, entry.amount])
    .toReversed()
}

export async function entryTypes(shop: Partner): Promise<string[]> {
  return (await entriesOf(shop)).map(([type]) => type)
}

export function receipt(fields: Partial<ReceiptEvent>): ReceiptEvent {
  return { kind: 'receipt', deliveredAt: new Date('2026-05-01T10:00:00.123Z'), ...fields }
}

/** Applies a single receipt of an official account. */
export async function applyReceipt(deps: Deps, oaId: string, event: ReceiptEvent): Promise<ReceiptOutcome> {
  return (await applyReceipts(deps, deps.db, [{ key: 'one', oaId, receipt: event }])).get('one')!
}
