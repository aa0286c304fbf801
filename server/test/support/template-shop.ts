import { sql } from 'kysely'
import { eventually } from './eventually.ts'
import { orderTemplate } from './sending.ts'
import { type Answer, makeShop, manage, type Partner, type Service } from './service.ts'

export const CREATE = '/api/external/notify-template/create'
export const TEMPLATES = '/api/external/notify-template'

/** A new shop with its own linked official account. */
export async function makeShopWithOa(
  running: Service,
  credentials: Record<string, string> = {},
): Promise<Partner & { oaId: string }> {
  const partner = await makeShop(running)
  const oaId = `oa-${partner.shopId}`
  const linked = await manage(running, 'POST', `/shops/${partner.shopId}/official-accounts`, {
    oaId,
    name: 'Tiệm Hoa Mai',
    ...credentials,
  })
  if (linked.status !== 201) throw new Error(JSON.stringify(linked.body))
  return { ...partner, oaId }
}

/** A valid body of a custom template; `overrides` replace fields, `undefined` removes them. */
export function templateBody(oaId: string, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const body = { ...orderTemplate(oaId), ...overrides }
  return JSON.parse(JSON.stringify(body))
}

/** Creates a template and returns its record. Throws if the status is not 200. */
export async function createTemplate(partner: Partner, body: object) {
  const made = await partner.post(CREATE, body)
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body.template
}

export function publish(partner: Partner, id: string): Promise<Answer> {
  return partner.post(`${TEMPLATES}/${id}/publish`)
}

/** Waits until the template has the status, and returns its record. */
export function whenStatus(partner: Partner, id: string, status: string, withinMs = 10_000) {
  return eventually(async () => {
    const { body } = await partner.get(`${TEMPLATES}/${id}`)
    return body.data?.status === status && body.data
  }, withinMs)
}

/** A template that the simulator has approved. */
export async function approvedTemplate(partner: Partner & { oaId: string }, name?: string) {
  const template = await createTemplate(partner, templateBody(partner.oaId, name ? { name } : {}))
  const published = await publish(partner, template._id)
  if (published.status !== 200) throw new Error(JSON.stringify(published.body))
  return whenStatus(partner, template._id, 'ENABLE')
}

/** Calls the simulator's control interface. */
// biome-ignore lint/suspicious/noExplicitAny: tests read into answers of every shape
export async function control(running: Service, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${running.simulatorUrl}/control${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** The timeline of a template as `from>to source`. */
export async function timeline(running: Service, shopId: string, templateId: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select coalesce(from_status, '') || '>' || to_status || ' ' || source as line
    from template_events
    where shop_id = ${shopId} and template_id = ${templateId}
    order by created_at, id`.execute(running.deps.db)
  return rows.map((row) => row.line)
}

/** The revisions of a template, the oldest first. */
export async function revisionsOf(of: Service, shopId: string, templateId: string) {
  const { rows } = await sql<{
    id: string
    number: number
    document: { title: string }
    submitted_at: Date | null
    platform_template_id: string | null
  }>`
    select id, number, document, submitted_at, platform_template_id
    from template_revisions
    where shop_id = ${shopId} and template_id = ${templateId}
    order by number`.execute(of.deps.db)
  return rows
}

let blocks = 0
/** A paragraph of a template's body, with its own id. */
export function block(value?: string) {
  blocks += 1
  const id = `3f0c2a50-6f0e-4c3b-9a53-${String(blocks).padStart(12, '0')}`
  return { id, type: 'paragraph', ...(value === undefined ? {} : { value }) }
}
