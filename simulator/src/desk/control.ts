import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Events } from '../events.ts'
import { readFaults } from '../faults/faults.ts'
import { chargeTotals, newestMessages, presentMessage } from '../messages/message-log.ts'
import { expireTokens } from '../oauth.ts'
import { asJson, asList, asNumber, asText, type Json } from '../read.ts'
import type { Settings } from '../settings.ts'
import { presentSms } from '../sms/sms-state.ts'
import { type Message, nowMs, resetState, type State, type Template } from '../state.ts'
import { decide, STATUSES, startReview } from '../templates/templates.ts'
import { applySettings, presentSettings } from './settings-call.ts'

const DAY_MS = 86_400_000
const QUALITIES = ['HIGH', 'MEDIUM', 'LOW'] as const

function presentTemplate(template: Template) {
  return {
    template_id: template.id,
    oaId: template.oaId,
    template_name: template.name,
    template_type: template.type,
    tag: template.tag,
    status: template.status,
    reason: template.reason,
    layout: template.layout,
    params: template.params,
    note: template.note,
    tracking_id: template.trackingId,
    createdAt: new Date(template.createdAt).toISOString(),
  }
}

/** The filter of a control call for messages: `oaId`, `phone`, `user_id`, `tracking_id`, `limit` (1000). */
function messageFilter(query: Json): { matches: (message: Message) => boolean; limit: number } {
  const { oaId, phone, user_id: userId, tracking_id: trackingId } = query
  return {
    matches: (message) =>
      (oaId === undefined || message.oaId === oaId) &&
      (phone === undefined || (message.channel === 'phone' && message.recipient === phone)) &&
      (userId === undefined || (message.channel === 'uid' && message.recipient === userId)) &&
      (trackingId === undefined || message.trackingId === trackingId),
    limit: asNumber(query.limit) ?? 1000,
  }
}

/** Notifies the OAs whose quota, or template quota, has changed. */
function notifyQuotas(state: State, events: Events, before: Settings): void {
  const { dailyQuota, templateDailyQuota } = state.settings
  for (const oa of state.oas.values()) {
    if (dailyQuota !== before.dailyQuota) {
      const quota = { prev_daily_quota: String(before.dailyQuota), new_daily_quota: String(dailyQuota) }
      events.emit(oa.id, 'change_oa_daily_quota', { oa_id: oa.id, quota })
    }
    if (templateDailyQuota === before.templateDailyQuota) continue
    const quota = {
      prev_quota: String(before.templateDailyQuota),
      new_quota: String(templateDailyQuota),
    }
    for (const { id } of oa.templates) {
      events.emit(oa.id, 'change_template_quota', { oa_id: oa.id, template_id: id, quota })
    }
  }
}

/** Redirects a form of the page back to the page; any other caller gets JSON. */
function done(req: FastifyRequest, reply: FastifyReply, data: unknown): unknown {
  const isForm = req.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  return isForm ? reply.redirect('/', 303) : data
}

export function controlRoutes(app: FastifyInstance, state: State, events: Events): void {
  const bad = (reply: FastifyReply, message: string) => reply.code(400).send({ message })

  app.get('/control/faults', async () => ({ faults: state.faults }))
  app.post('/control/faults', async (req, reply) => {
    const faults = readFaults(req.body, nowMs(state))
    if (typeof faults === 'string') return bad(reply, faults)
    state.faults = faults
    return { faults }
  })

  app.get('/control/settings', async () => presentSettings(state))
  app.post('/control/settings', async (req, reply) => {
    const before = state.settings
    const problem = applySettings(state, req.body)
    if (problem !== undefined) return bad(reply, problem)
    notifyQuotas(state, events, before)
    return presentSettings(state)
  })

  // Saves the app's address, as an operator does in the platform's console. An address that does not respond is not
  // saved.
  app.post('/control/webhook', async (req, reply) => {
    const address = asText(asJson(req.body).address)
    if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      return bad(reply, 'address must be an http address')
    if (!(await events.checkAddress(address))) return bad(reply, 'The address did not answer 200')
    state.settings.webhookAddress = address
    return { webhookAddress: address }
  })

  // Moves the clock, so that a test need not wait for idle months.
  app.post('/control/clock', async (req, reply) => {
    const days = asNumber(asJson(req.body).days)
    if (days === undefined) return bad(reply, 'days must be a number')
    state.settings.clockOffsetMs += days * DAY_MS
    return { clock: new Date(nowMs(state)).toISOString() }
  })

  app.get('/control/messages', async (req) => {
    const { matches, limit } = messageFilter(asJson(req.query))
    return {
      total: state.accepted,
      duplicates: state.duplicates,
      dropped: state.dropped,
      messages: newestMessages(state, matches, limit).map(presentMessage),
    }
  })

  // The SMS that the SMS provider has accepted, oldest first.
  app.get('/control/sms', async (req) => {
    const { phone, RequestId } = asJson(req.query)
    const found = [...state.sms.values()].filter(
      (sms) =>
        (phone === undefined || sms.phone === phone) &&
        (RequestId === undefined || sms.requestId === RequestId),
    )
    return { total: state.sms.size, sms: found.map(presentSms) }
  })

  app.get('/control/billing', async (req) => {
    const { matches, limit } = messageFilter(asJson(req.query))
    const messages = newestMessages(state, matches, limit).map((message) => ({
      msg_id: message.msgId,
      tracking_id: message.trackingId,
      oaId: message.oaId,
      channel: message.channel,
      templateId: message.templateId,
      developmentMode: message.developmentMode,
      chargeVnd: message.chargeVnd,
    }))
    return { ...chargeTotals(state), messages }
  })

  app.get('/control/events', async (req) => {
    const { oaId } = asJson(req.query)
    return { events: state.events.filter((event) => oaId === undefined || event.oaId === oaId) }
  })
  app.post('/control/events', async (req, reply) => {
    const { oaId, event_name: eventName, ...fields } = asJson(req.body)
    if (!asText(oaId) || !asText(eventName)) return bad(reply, 'oaId and event_name are needed')
    await events.emitAndWait(asText(oaId), asText(eventName), fields)
    return { sent: true }
  })

  app.post('/control/tokens/expire', async (req, reply) => {
    const oaId = asText(asJson(req.body).oaId)
    if (!oaId) return bad(reply, 'oaId is needed')
    expireTokens(state, oaId)
    return { expired: oaId }
  })

  app.get('/control/templates', async (req) => {
    const { oaId } = asJson(req.query)
    const all = [...state.templates.values()].filter(
      (template) => oaId === undefined || template.oaId === oaId,
    )
    return { templates: all.map(presentTemplate) }
  })

  app.post<{ Params: { id: string; verb: string } }>('/control/templates/:id/:verb', async (req, reply) => {
    const template = state.templates.get(req.params.id)
    if (!template) return reply.code(404).send({ message: 'No such template' })
    const body = asJson(req.body)
    switch (req.params.verb) {
      case 'approve':
        decide(state, events, template, 'ENABLE')
        break
      case 'reject':
        decide(state, events, template, 'REJECT', asText(body.reason).trim() || 'Rejected by hand')
        break
      case 'status': {
        const status = STATUSES.find((known) => known === body.status)
        if (!status) return bad(reply, `status must be one of ${STATUSES.join(', ')}`)
        decide(state, events, template, status, asText(body.reason))
        break
      }
      case 'quality': {
        const quality = QUALITIES.find((known) => known === body.quality)
        if (!quality) return bad(reply, `quality must be one of ${QUALITIES.join(', ')}`)
        const previous = template.quality ?? 'HIGH'
        template.quality = quality
        state.onChange()
        events.emit(template.oaId, 'change_template_quality', {
          oa_id: template.oaId,
          template_id: template.id,
          quality: { prev_quality: previous, new_quality: quality },
        })
        break
      }
      default:
        return reply.code(404).send({ message: 'Unknown action: use approve, reject, status or quality' })
    }
    return done(req, reply, presentTemplate(template))
  })

  // The customer's response to a message that asks for a rating.
  app.post<{ Params: { id: string } }>('/control/messages/:id/feedback', async (req, reply) => {
    const message = state.messages.get(req.params.id)
    if (!message) return reply.code(404).send({ message: 'No such message' })
    const body = asJson(req.body)
    const rate = asNumber(body.rate)
    if (rate === undefined || !Number.isInteger(rate) || rate < 1 || rate > 5) {
      return bad(reply, 'rate must be 1 to 5')
    }
    events.emit(message.oaId, 'user_feedback', {
      oa_id: message.oaId,
      message: {
        msg_id: message.msgId,
        tracking_id: message.trackingId,
        rate,
        note: asText(body.note),
        feedbacks: asList(body.feedbacks).map(asText),
        submit_time: String(nowMs(state)),
      },
    })
    return done(req, reply, { sent: true })
  })

  app.post('/control/reset', async (req, reply) => {
    resetState(state, asJson(req.body).keepTemplates === true)
    for (const template of state.templates.values()) {
      if (template.status === 'PENDING_REVIEW') startReview(state, events, template)
    }
    state.onChange()
    return done(req, reply, { reset: true })
  })
}
