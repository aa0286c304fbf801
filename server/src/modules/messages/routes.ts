import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUniqueViolation } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, PlatformAway, Refused } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { languageOfRequest } from '../../http/error-map.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { normalizePhone } from '../../lib/text/phone.ts'
import { within } from '../../lib/time/within.ts'
import { textsIn } from '../../texts/catalogue.ts'
import { refusalText } from './history/reason-text.ts'
import { findMessage } from './history/sql.ts'
import { NOT_SENT } from './outcome/endings.ts'
import type { MessageUnderWay } from './outgoing.ts'
import { checkUid, type SendRequest } from './rules.ts'
import {
  pendingToPhone,
  pendingToUid,
  sendToPhoneBody,
  sendToUidBody,
  sentToPhone,
  sentToUid,
} from './schema.ts'
import { acceptMessage, type Transmitted, transmitMessage } from './send/send-message.ts'

const tags = ['Messages']
const PENDING =
  'The response is 202 immediately with `Prefer: respond-async`, and after 10 seconds if the outcome is still unknown.'

/** The result for the caller: the message was received, its outcome is unknown, or it is still being sent. */
type SendStatus = { messageId: ObjectId; status: 'RECEIVED' | 'UNKNOWN' | 'SENDING' }

/** E5 and E6: one message to a phone number or a user of the platform (G-24). */
export function messageRoutes(app: App, deps: Deps): void {
  const underWay = new Set<Promise<Transmitted>>()
  // Stopping waits for the messages whose callers already have a response; after a kill, recovery handles them.
  app.addHook('onClose', async () => {
    await Promise.allSettled(underWay)
  })

  // E5: send to a phone number.
  app.post(
    '/api/external/notify-message/send',
    {
      schema: {
        tags,
        operationId: 'sendMessageToPhone',
        summary: 'Send a message to a phone number',
        description: `The fee is held in the wallet, captured when the platform accepts the message, and released when the platform rejects it. ${PENDING}`,
        body: sendToPhoneBody,
        errors: [
          404,
          'TEMPLATE_NOT_SENDABLE',
          'OA_NOT_LINKED',
          'PHONE_NOT_PRICED',
          'WALLET_TOO_LOW',
          'PLATFORM_REFUSED',
          'RECIPIENT_LIMIT',
        ],
        response: { 200: sentToPhone, 202: pendingToPhone },
      },
    },
    async (request, reply) => {
      const { templateId, receiverPhone, isSample, params } = request.body
      const phone = normalizePhone(receiverPhone)
      if (phone === undefined) throw invalidField(['receiverPhone'], 'string.phone')
      const send = { templateId, phone, userUid: '', isSample, params, paramsPath: ['params'] }
      const { messageId, status } = await acceptAndSend(request, reply, { ...send, channel: 'phone' })
      const message = textsIn(languageOfRequest(request)).message[status]
      if (status === 'RECEIVED') return { message, data: { message_id: messageId, status } }
      return reply.code(202).send({ message, data: { message_id: messageId, status } })
    },
  )

  // E6: send by UID.
  app.post(
    '/api/external/chatapp/uid-notify/send-message',
    {
      schema: {
        tags,
        operationId: 'sendMessageToUid',
        summary: 'Send a message to a user of the platform by UID',
        description: `\`error\` is 0 on success, and the platform’s error number if it rejects the message (400). ${PENDING}`,
        body: sendToUidBody,
        errors: [
          404,
          'TEMPLATE_NOT_SENDABLE',
          'OA_NOT_LINKED',
          'UID_NOT_PRICED',
          'WALLET_TOO_LOW',
          'PLATFORM_REFUSED',
          'RECIPIENT_LIMIT',
        ],
        response: { 200: sentToUid, 202: pendingToUid },
      },
    },
    async (request, reply) => {
      const { templateId, userUID, templateData } = request.body
      checkUid(userUID, ['userUID'])
      const send = { templateId, userUid: userUID, phone: '', isSample: false, params: templateData }
      const { messageId, status } = await acceptAndSend(request, reply, {
        ...send,
        channel: 'uid',
        paramsPath: ['templateData'],
      })
      const message = textsIn(languageOfRequest(request)).message[status]
      if (status === 'RECEIVED') return { error: 0, message, data: { message_id: messageId } }
      return reply.code(202).send({ error: 0, message, data: { message_id: messageId, status } })
    },
  )

  /** Accepts and sends; @throws the refusal of either (G-24). Sending continues when the caller gets an early response. */
  async function acceptAndSend(
    request: FastifyRequest,
    reply: FastifyReply,
    send: SendRequest,
  ): Promise<SendStatus> {
    const accepted = await acceptOnce(request, send)
    if ('status' in accepted) return accepted
    const outcome = transmitMessage(deps, request.shop.id, accepted)
    underWay.add(outcome)
    void outcome.finally(() => underWay.delete(outcome))
    const early: SendStatus = { messageId: accepted.id, status: 'SENDING' }
    if (prefersAsync(request)) {
      reply.header('preference-applied', 'respond-async')
      return early
    }
    const ended = await within(deps.timings.messageAnswerWithinMs, outcome)
    if (ended === undefined) return early
    const result = ended.found
    reply.header('server-timing', `platform;dur=${result.platformMs.toFixed(1)}`)
    switch (result.kind) {
      case 'received':
        return { messageId: result.messageId, status: 'RECEIVED' }
      case 'fallback':
        return early
      case 'unknown':
        return { messageId: result.messageId, status: 'UNKNOWN' }
      case 'not-sent':
        throw notSent(request)
      case 'refused':
        throw refusedByPlatform(request, send, result.code, result.text)
    }
  }

  /** The accepted message, or the status of the message that an earlier attempt with the same key accepted (G-10). */
  async function acceptOnce(
    request: FastifyRequest,
    send: SendRequest,
  ): Promise<MessageUnderWay | SendStatus> {
    const claim = request.idempotency
    if (claim === undefined) return acceptMessage(deps, request.shop.id, send)
    const { resourceId, isTakenOver } = claim
    const earlier = isTakenOver ? await statusOfEarlierTry(request, resourceId, send) : undefined
    if (earlier !== undefined) return earlier
    try {
      return await acceptMessage(deps, request.shop.id, send, resourceId)
    } catch (error) {
      // The earlier attempt was slow, not dead.
      const isLate = isUniqueViolation(error, 'messages_pkey')
      const late = isLate ? await statusOfEarlierTry(request, resourceId, send) : undefined
      if (late === undefined) throw error
      return late
    }
  }

  /**
   * The status of the message that an earlier attempt with the same key accepted (G-10), if it did; it is not sent again.
   * @throws its refusal; then the key is freed, since nothing was sent or charged.
   */
  async function statusOfEarlierTry(
    request: FastifyRequest,
    messageId: ObjectId,
    send: SendRequest,
  ): Promise<SendStatus | undefined> {
    const message = await findMessage(deps.db, request.shop.id, messageId)
    if (message === undefined) return undefined
    const { state, error_code: code, resent_at: resentAt } = message
    if (state !== 'ERROR') {
      return { messageId, status: state === 'RECEIVED' || state === 'UNKNOWN' ? state : 'SENDING' }
    }
    if (code === NOT_SENT) throw notSent(request)
    // Its outcome stayed unknown and its fee was released, or only its second copy was refused: it may still have arrived.
    if (!/^-?\d+$/.test(code ?? '') || resentAt !== null) return { messageId, status: 'UNKNOWN' }
    if (request.idempotency !== undefined) request.idempotency.isVoid = true
    throw refusedByPlatform(request, send, Number(code), message.error_text ?? '')
  }
}

/** Nothing was sent or charged: a repeated request may send, so the key is freed (G-10). */
function notSent(request: FastifyRequest): PlatformAway {
  if (request.idempotency !== undefined) request.idempotency.isVoid = true
  return new PlatformAway()
}

function refusedByPlatform(request: FastifyRequest, send: SendRequest, code: number, text: string): Refused {
  const reason = refusalText(code, text, languageOfRequest(request))
  return new Refused('PLATFORM_REFUSED', { reason }, send.channel === 'uid' ? code : undefined)
}

/** `Prefer: respond-async` (RFC 7240): one of several preferences, perhaps with parameters. */
function prefersAsync(request: FastifyRequest): boolean {
  const header = request.headers.prefer
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(/[,;]/)
  return preferences.some((preference) => preference.trim().toLowerCase() === 'respond-async')
}
