import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal, success } from '../answers.ts'
import type { Events } from '../events.ts'
import { hang } from '../faults/faults.ts'
import { checkLimits, dayQuota, limitRate, promotionQuota } from '../limits.ts'
import { authenticate } from '../oauth.ts'
import { asJson, asText, isJson, type Json } from '../read.ts'
import { isNight, later, type Message, nowMs, type Oa, type State, type Template } from '../state.ts'
import { accept, deliver, firstOfTracking } from './message-log.ts'
import type { Send } from './send.ts'

/** A recipient's behaviour, chosen by the last four characters of the phone number or UID. */
const MAGIC = {
  NO_ACCOUNT: '0001',
  REFUSES_OA: '0002',
  NEVER_DELIVERED: '0003',
  DELIVERED_TWICE: '0004',
  HANGS_AND_DELIVERED: '0005',
  HANGS_AND_LOST: '0006',
  FAILS_ONCE: '0007',
  RECEIPT_FIRST: '0008',
  NIGHT: '0009',
} as const

const MAX_FAILED_ONCE = 100_000

function sendableTemplate(state: State, oa: Oa, id: unknown, developmentMode: boolean): Template {
  const template = state.templates.get(asText(id))
  if (!template || template.oaId !== oa.id) throw new Refusal(-109, 'Template ID is invalid')
  if (template.status === 'ENABLE') return template
  if (template.status === 'PENDING_REVIEW' && developmentMode) return template
  if (template.status === 'DISABLE') throw new Refusal(-146, 'The template is disabled')
  throw new Refusal(-131, 'The template is not approved')
}

/**
 * Checks the values of a message against the params of its template. Lengths count the code points that arrive, so text
 * that is not normalised to NFC is longer here too.
 */
function checkedParams(template: Template, data: unknown): Json {
  if (data === undefined || data === null) throw new Refusal(-111, 'Template data is empty')
  if (!isJson(data)) throw new Refusal(-112, 'Template data is invalid: it must be an object')
  for (const param of template.params) {
    const value = data[param.name]
    if (value === undefined || value === null) {
      throw new Refusal(-1122, `Template data is missing the parameter ${param.name}`)
    }
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Refusal(-112, `Template data is invalid: ${param.name} must be text or a number`)
    }
    if (isLongerThan(String(value), param.maxLength)) {
      throw new Refusal(-1121, `Parameter ${param.name} exceeds ${param.maxLength} characters`)
    }
  }
  const names = Object.keys(data)
  if (names.length > template.params.length) {
    const unknown = names.find((name) => !template.params.some((param) => param.name === name))
    throw new Refusal(-112, `Template data is invalid: ${unknown} is not declared`)
  }
  return data
}

function isLongerThan(text: string, limit: number): boolean {
  // Code units are never fewer than code points, so only a long text is counted exactly.
  return text.length > limit && [...text].length > limit
}

/** Accepts a message and applies its recipient's behaviour; returns the response to the caller. */
async function take(
  state: State,
  events: Events,
  send: Send,
  reply: FastifyReply,
): Promise<Message | FastifyReply> {
  const magic = send.recipient.slice(-4)
  switch (magic) {
    case MAGIC.NO_ACCOUNT:
      throw new Refusal(-118, 'The recipient has no account or it is disabled')
    case MAGIC.REFUSES_OA:
      throw new Refusal(-141, 'The recipient refuses messages of this OA')
    case MAGIC.NIGHT:
      throw new Refusal(-133, 'Messages are not allowed at night, from 22:00 to 06:00')
    case MAGIC.HANGS_AND_LOST:
      return hang(state, reply)
    case MAGIC.FAILS_ONCE: {
      const key = `${send.oa.id}\n${send.trackingId}\n${send.recipient}`
      if (state.failedOnce.has(key)) break
      if (state.failedOnce.size >= MAX_FAILED_ONCE) state.failedOnce.clear()
      state.failedOnce.add(key)
      return reply.code(500).type('text/html').send('<html><body>Internal Server Error</body></html>')
    }
  }

  if (state.settings.dropRepeatedTrackingId && send.trackingId) {
    const first = firstOfTracking(state, send.oa.id, send.trackingId)
    if (first) {
      state.dropped += 1
      return first
    }
  }

  const message = accept(state, send)
  const receive = () => events.emit(message.oaId, 'user_received_message', deliver(state, message))
  switch (magic) {
    case MAGIC.NEVER_DELIVERED:
      break
    case MAGIC.RECEIPT_FIRST:
      await events.emitAndWait(message.oaId, 'user_received_message', deliver(state, message))
      break
    case MAGIC.DELIVERED_TWICE:
      later(state, state.settings.deliveryMs, receive)
      later(state, state.settings.deliveryMs * 2, receive)
      break
    case MAGIC.HANGS_AND_DELIVERED:
      later(state, state.settings.deliveryMs, receive)
      return hang(state, reply)
    default:
      later(state, state.settings.deliveryMs, receive)
  }
  return message
}

function isMessage(result: Message | FastifyReply): result is Message {
  return 'msgId' in result
}

function readBody(body: unknown): Json {
  if (body === undefined || body === null) throw new Refusal(-121, 'The request body is empty')
  if (!isJson(body)) throw new Refusal(-122, 'The request body has the wrong format')
  return body
}

export function messageRoutes(app: FastifyInstance, state: State, events: Events): void {
  app.post('/message/template', async (req, reply) => {
    const oa = authenticate(state, req)
    limitRate(state)
    const body = readBody(req.body)
    const phone = asText(body.phone)
    if (!/^84\d{8,10}$/.test(phone)) throw new Refusal(-108, 'The phone number is invalid')
    const trackingId = asText(body.tracking_id)
    if (trackingId.length > 48)
      throw new Refusal(-201, 'Params is invalid: tracking_id exceeds 48 characters')
    const developmentMode = body.mode === 'development'
    const template = sendableTemplate(state, oa, body.template_id, developmentMode)
    const params = checkedParams(template, body.template_data)
    const { administrators } = state.settings
    if (developmentMode && administrators.length > 0 && !administrators.includes(phone)) {
      throw new Refusal(-127, 'Development mode reaches only the administrators of the OA')
    }
    if (state.settings.nightWindow && isNight(nowMs(state))) {
      throw new Refusal(-133, 'Messages are not allowed at night, from 22:00 to 06:00')
    }
    const send: Send = {
      oa,
      channel: 'phone',
      recipient: phone,
      trackingId,
      template,
      params,
      developmentMode,
    }
    checkLimits(state, send)
    const result = await take(state, events, send, reply)
    if (!isMessage(result)) return result
    return success({ msg_id: result.msgId, sent_time: String(result.acceptedAt), quota: dayQuota(state, oa) })
  })

  app.post('/v3.0/oa/message/template', async (req, reply) => {
    const oa = authenticate(state, req)
    limitRate(state)
    const body = readBody(req.body)
    const userId = asText(body.user_id)
    if (!userId) throw new Refusal(-201, 'Params is invalid: user_id is missing')
    const template = sendableTemplate(state, oa, body.template_id, false)
    const params = checkedParams(template, body.template_data)
    if (state.settings.nightWindow && isNight(nowMs(state))) {
      throw new Refusal(-234, 'Messages are not allowed at night, from 22:00 to 06:00')
    }
    const send: Send = {
      oa,
      channel: 'uid',
      recipient: userId,
      trackingId: '',
      template,
      params,
      developmentMode: false,
    }
    checkLimits(state, send)
    const result = await take(state, events, send, reply)
    if (!isMessage(result)) return result
    return success({
      message_id: result.msgId,
      user_id: userId,
      sent_time: String(result.acceptedAt),
      quota: dayQuota(state, oa),
    })
  })

  app.get('/message/status', async (req) => {
    const oa = authenticate(state, req)
    const id = asText(asJson(req.query).message_id)
    if (!id) throw new Refusal(-201, 'Params is invalid: message_id is missing')
    const message = state.messages.get(id)
    if (!message || message.oaId !== oa.id)
      return success({ status: -1, delivery_time: '', message: 'Unknown message' })
    if (message.deliveredAt === undefined) return success({ status: 0, delivery_time: '', message: 'Pushed' })
    return success({ status: 1, delivery_time: String(message.deliveredAt), message: 'Delivered' })
  })

  app.get('/message/quota', async (req) => {
    const oa = authenticate(state, req)
    return success({ ...dayQuota(state, oa), ...promotionQuota(state, oa) })
  })
}
