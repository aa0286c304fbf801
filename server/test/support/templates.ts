import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { fold } from '../../src/lib/text/fold.ts'
import type { TemplateDocument, TemplateParam } from '../../src/platform/types.ts'
import { manage, type Service, unusedId } from './service.ts'

export type EnabledTemplate = { id: string; platformTemplateId: string; oaId: string }

const PARAMS: TemplateParam[] = [
  { key: 'customer_name', label: 'Tên khách', techSetting: '1', maxLength: 30, sampleValue: 'Nguyễn An' },
  { key: 'otp', label: 'Mã OTP', techSetting: '12', maxLength: 10, sampleValue: '123456' },
]

/** Values that fit a template of {@link insertEnabledTemplate}. */
export const VALUES = { customer_name: 'Trần Bình', otp: '246810' }

export type EnabledTemplateOverrides = {
  oaId?: string
  params?: TemplateParam[]
  status?: 'ENABLE' | 'PENDING_REVIEW' | 'DISABLE' | 'DRAFT' | 'REJECTED'
  pricePhone?: number | null
  priceUid?: number | null
  isLinked?: boolean
  tag?: '1' | '2' | '3'
}

/**
 * A template that the shop can send without waiting for its review: its official account is linked, the simulator has
 * it in the same status, and its row is stored as after approval. A message costs 200 đồng by phone and 55 by UID, as
 * the simulator charges.
 */
export async function insertEnabledTemplate(
  running: Service,
  shopId: string,
  overrides: EnabledTemplateOverrides = {},
): Promise<EnabledTemplate> {
  const { deps } = running
  const oaId = overrides.oaId ?? `oa-${shopId}`
  const params = overrides.params ?? PARAMS
  if (overrides.isLinked ?? true) {
    await manage(running, 'POST', `/shops/${shopId}/official-accounts`, { oaId, name: 'Tiệm Hoa Mai' })
  }
  const id = unusedId()
  const document: TemplateDocument = {
    oaId,
    name: `Xác nhận ${id}`,
    title: 'Mã của bạn',
    tag: overrides.tag ?? '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: 'https://cdn.example/light.png',
    logoDark: 'https://cdn.example/dark.png',
    contentBlocks: [
      { id: 'b1', type: 'paragraph', value: `Chào ${params.map((param) => `<${param.key}>`).join(' ')}` },
    ],
    buttons: [],
    params,
    isCustomParams: true,
  }
  const created = await deps.platform.createTemplate(
    { shopId, oaId, accessToken: `sim:${oaId}` },
    { document, trackingId: id },
  )
  if (created.kind !== 'ok') throw new Error(JSON.stringify(created))
  const { platformTemplateId } = created.data
  const status = overrides.status ?? 'ENABLE'
  const onPlatform = { status: status === 'REJECTED' ? 'REJECT' : status }
  if (status !== 'DRAFT') await control(running, `/templates/${platformTemplateId}/status`, onPlatform)
  const now = deps.clock.now()
  await sql`
    insert into templates
      (shop_id, id, oa_id, name, title, tag, template_type, image_type, logo_light, logo_dark, content_blocks, params,
      is_custom_params, search, status, is_sync, platform_template_id, price_phone, price_uid, created_at, updated_at)
    values (${shopId}, ${id}, ${oaId}, ${document.name}, ${document.title}, ${document.tag}, 'custom', 'logo',
      ${document.logoLight}, ${document.logoDark}, ${JSON.stringify(document.contentBlocks)}::jsonb,
      ${JSON.stringify(params)}::jsonb, true, ${fold(document.name)}, ${status}, true,
      ${status === 'DRAFT' ? null : platformTemplateId},
      ${overrides.pricePhone === undefined ? 200 : overrides.pricePhone},
      ${overrides.priceUid === undefined ? 55 : overrides.priceUid}, ${now}, ${now})`.execute(deps.db)
  if (overrides.pricePhone === null || overrides.priceUid === null)
    await unprice(running, shopId, { id, oaId }, overrides)
  return { id, platformTemplateId, oaId }
}

/** Removes prices again that the approval's event has set meanwhile, after that was processed. */
async function unprice(
  running: Service,
  shopId: string,
  template: { id: string; oaId: string },
  { pricePhone, priceUid }: EnabledTemplateOverrides,
): Promise<void> {
  const { db } = running.deps
  await setTimeout(300)
  await expect
    .poll(
      async () => {
        const { rows } = await sql`
          select 1 from platform_events where oa_id = ${template.oaId} and processed_at is null`.execute(db)
        return rows.length
      },
      { timeout: 30_000 },
    )
    .toBe(0)
  await sql`
    update templates
    set price_phone = case when ${pricePhone === null} then null else price_phone end,
      price_uid = case when ${priceUid === null} then null else price_uid end
    where shop_id = ${shopId} and id = ${template.id}`.execute(db)
}

export type PlatformMessage = {
  msg_id: string
  tracking_id: string
  phone: string
  user_id: string
  params: Record<string, string>
  deliveredCount: number
  chargeVnd: number
  developmentMode: boolean
}

/** The messages that the simulator accepted for one official account, oldest first. */
export async function messagesOnPlatform(running: Service, oaId: string): Promise<PlatformMessage[]> {
  const answer = await fetch(`${running.simulatorUrl}/control/messages?oaId=${encodeURIComponent(oaId)}`)
  return ((await answer.json()) as { messages: PlatformMessage[] }).messages
}

/** Calls the simulator's control desk; `path` follows `/control`. */
export async function control(running: Service, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${running.simulatorUrl}/control${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

/** Tops up the shop's wallet. */
export async function topUp(running: Service, shopId: string, amount: number): Promise<void> {
  await manage(running, 'POST', `/shops/${shopId}/wallet/entries`, { amount, note: 'nạp' })
}
