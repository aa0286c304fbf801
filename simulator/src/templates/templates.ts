import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal, success } from '../answers.ts'
import type { Events } from '../events.ts'
import { countTemplate } from '../limits.ts'
import { authenticate } from '../oauth.ts'
import { asJson, asNumber, asText, isJson } from '../read.ts'
import {
  later,
  nowMs,
  type Oa,
  type State,
  type Template,
  type TemplateParam,
  type TemplateStatus,
} from '../state.ts'
import { buttonsOf, components, paramsUsed, readLayout } from './layout.ts'
import { reviewTemplate } from './review.ts'

/** The charge for one message in đồng, by the template's tag. */
const PRICES_VND = {
  '1': { phone: 200, uid: 55 },
  '2': { phone: 300, uid: 100 },
  '3': { phone: 400, uid: 165 },
} as const

/** The maximum length of a value, by the parameter's type. */
const MAX_LENGTH: Record<string, number> = {
  1: 30,
  2: 15,
  3: 200,
  4: 30,
  5: 30,
  6: 30,
  7: 50,
  8: 5,
  9: 200,
  10: 20,
  11: 20,
  12: 10,
  13: 200,
  14: 12,
  15: 90,
}

/** The list call's number of each status. */
const STATUS_NUMBERS: Record<string, TemplateStatus> = {
  1: 'ENABLE',
  2: 'PENDING_REVIEW',
  3: 'REJECT',
  4: 'DISABLE',
  5: 'DELETE',
}

export const STATUSES: readonly TemplateStatus[] = Object.values(STATUS_NUMBERS)

type Submission = Pick<
  Template,
  'name' | 'type' | 'tag' | 'layout' | 'fingerprint' | 'params' | 'note' | 'trackingId'
>

function readSubmission(input: unknown): Submission {
  if (!isJson(input)) throw new Refusal(-121, 'The request body is empty')
  const invalid = (what: string) => new Refusal(-201, `Params is invalid: ${what}`)
  const name = asText(input.template_name)
  if (!name) throw invalid('template_name is missing')
  const type = asNumber(input.template_type)
  if (type === undefined || !Number.isInteger(type) || type < 1 || type > 5) throw invalid('template_type')
  const tag = asText(input.tag)
  if (tag !== '1' && tag !== '2' && tag !== '3') throw invalid('tag')
  const trackingId = asText(input.tracking_id)
  if (trackingId.length > 48) throw invalid('tracking_id is longer than 48 characters')

  const layout = readLayout(input.layout)
  if (typeof layout === 'string') throw invalid(layout)
  if (buttonsOf(layout).length > 3) throw invalid('more than 3 buttons')
  const parts = components(layout)
  if (parts.some((part) => part.kind === 'RATING' && part.items.length === 0))
    throw invalid('RATING without items')
  if (type === 4 && !parts.some((part) => part.kind === 'VOUCHER')) throw invalid('VOUCHER is missing')
  if (type === 5 && !parts.some((part) => part.kind === 'RATING')) throw invalid('RATING is missing')

  if (input.params !== undefined && !Array.isArray(input.params)) throw invalid('params must be a list')
  const params = (input.params ?? []).map((entry: unknown): TemplateParam => {
    const param = asJson(entry)
    const maxLength = MAX_LENGTH[asText(param.type)]
    if (!asText(param.name)) throw invalid('a param has no name')
    if (maxLength === undefined) throw invalid(`type of param ${asText(param.name)}`)
    if (!asText(param.sample_value)) throw invalid(`sample_value of param ${asText(param.name)} is missing`)
    return {
      name: asText(param.name),
      type: asText(param.type),
      sampleValue: asText(param.sample_value),
      maxLength,
    }
  })
  const declared = new Set(params.map((param) => param.name))
  if (declared.size !== params.length) throw invalid('a param is declared twice')
  for (const used of paramsUsed(layout)) {
    if (!declared.has(used)) throw invalid(`<${used}> is not declared in params`)
  }
  const fingerprint = JSON.stringify([name, layout])
  return { name, type, tag, layout, fingerprint, params, note: asText(input.note), trackingId }
}

/**
 * Moves a template to a status and notifies its OA. A template of any status may be moved, as the platform's own staff
 * can.
 */
export function decide(
  state: State,
  events: Events,
  template: Template,
  status: TemplateStatus,
  reason = '',
): void {
  const previous = template.status
  template.status = status
  template.reason = reason
  template.revision += 1
  state.onChange()
  events.emit(template.oaId, 'change_template_status', {
    oa_id: template.oaId,
    template_id: template.id,
    status: { prev_status: previous, new_status: status },
    reason,
  })
}

/** Starts the review, which decides only the revision that was submitted. */
export function startReview(state: State, events: Events, template: Template): void {
  if (state.settings.reviewMs < 0) return
  const revision = template.revision
  later(state, state.settings.reviewMs, () => {
    if (template.revision !== revision || template.status !== 'PENDING_REVIEW') return
    const reasons = reviewTemplate(state, template)
    if (reasons.length > 0) decide(state, events, template, 'REJECT', reasons.join(';'))
    else decide(state, events, template, 'ENABLE')
  })
}

function presentSubmitted(template: Template) {
  return {
    template_id: template.id,
    template_name: template.name,
    template_type: String(template.type),
    tag: template.tag,
    status: template.status,
    price_sdt: String(template.priceSdtVnd),
    price_uid: String(template.priceUidVnd),
    preview_url: template.previewUrl,
  }
}

function qualityOf(template: Template): string {
  return template.status === 'ENABLE' ? (template.quality ?? 'HIGH') : 'UNDEFINED'
}

function presentDetail(state: State, template: Template) {
  return {
    templateId: template.id,
    templateName: template.name,
    status: template.status,
    reason: template.reason,
    listParams: template.params.map((param) => ({
      name: param.name,
      require: true,
      type: param.type,
      maxLength: param.maxLength,
      minLength: 0,
      acceptNull: false,
    })),
    listButtons: buttonsOf(template.layout).map((button) => ({
      type: asNumber(button.type) ?? button.type,
      title: button.title,
      content: button.content,
    })),
    timeout: state.settings.templateTimeoutMs,
    previewUrl: template.previewUrl,
    templateQuality: qualityOf(template),
    templateTag: template.tag,
    price_sdt: String(template.priceSdtVnd),
    price_uid: String(template.priceUidVnd),
  }
}

function ownTemplate(state: State, oa: Oa, id: unknown): Template {
  const template = state.templates.get(asText(id))
  if (!template || template.oaId !== oa.id) throw new Refusal(-109, 'Template ID is invalid')
  return template
}

export function templateRoutes(app: FastifyInstance, state: State, events: Events): void {
  app.post('/template/create', async (req) => {
    const oa = authenticate(state, req)
    const submission = readSubmission(req.body)
    countTemplate(state, oa, 'create')
    const id = String(state.nextTemplateId)
    state.nextTemplateId += 1
    const template: Template = {
      ...submission,
      id,
      oaId: oa.id,
      status: 'PENDING_REVIEW',
      reason: '',
      revision: 1,
      priceSdtVnd: PRICES_VND[submission.tag].phone,
      priceUidVnd: PRICES_VND[submission.tag].uid,
      createdAt: nowMs(state),
      previewUrl: `${addressOf(req)}/preview/${id}`,
    }
    state.templates.set(id, template)
    oa.templates.push(template)
    state.onChange()
    startReview(state, events, template)
    return success(presentSubmitted(template))
  })

  app.post('/template/edit', async (req) => {
    const oa = authenticate(state, req)
    const template = ownTemplate(state, oa, asJson(req.body).template_id)
    if (template.status !== 'REJECT') throw new Refusal(-1091, 'Only a rejected template can be edited')
    const submission = readSubmission(req.body)
    countTemplate(state, oa, 'edit')
    Object.assign(template, submission, {
      status: 'PENDING_REVIEW',
      reason: '',
      revision: template.revision + 1,
      priceSdtVnd: PRICES_VND[submission.tag].phone,
      priceUidVnd: PRICES_VND[submission.tag].uid,
    })
    state.onChange()
    startReview(state, events, template)
    return success(presentSubmitted(template))
  })

  app.get('/template/info/v2', async (req) => {
    const oa = authenticate(state, req)
    return success(presentDetail(state, ownTemplate(state, oa, asJson(req.query).template_id)))
  })

  app.get('/template/all', async (req) => {
    const oa = authenticate(state, req)
    const query = asJson(req.query)
    const offset = asNumber(query.offset) ?? 0
    const limit = asNumber(query.limit) ?? 100
    if (!Number.isInteger(offset) || offset < 0) throw new Refusal(-201, 'Params is invalid: offset')
    if (!Number.isInteger(limit) || limit < 1 || limit > 100)
      throw new Refusal(-201, 'Params is invalid: limit')
    const status = query.status === undefined ? undefined : STATUS_NUMBERS[asText(query.status)]
    if (query.status !== undefined && !status) throw new Refusal(-201, 'Params is invalid: status')
    const matching = oa.templates.filter((template) => !status || template.status === status).reverse()
    const page = matching.slice(offset, offset + limit).map((template) => ({
      templateId: Number(template.id),
      templateName: template.name,
      createdTime: template.createdAt,
      status: template.status,
      templateQuality: qualityOf(template),
    }))
    return { ...success(page), metadata: { total: matching.length } }
  })
}

function addressOf(req: FastifyRequest): string {
  return `${req.protocol}://${req.host}`
}
