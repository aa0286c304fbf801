import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound, PlatformAway, Refused } from '../../../errors.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../../../lib/object-id.ts'
import { findWallet } from '../../wallet/sql.ts'
import { type SendResult, settleOutcome } from '../outcome/settle-outcomes.ts'
import type { MessageUnderWay } from '../outgoing.ts'
import {
  recipientGuard,
  type Sendable,
  type SendableTemplate,
  type SendRequest,
  sendableMessage,
} from '../rules.ts'
import { findSendableTemplate, insertAcceptedMessage, type NewMessage } from '../sql.ts'
import { callPlatformWithRetries } from './call-platform.ts'
import { recallTemplate, rememberTemplate } from './remembered-templates.ts'

const READINGS = 3

/**
 * Accepts a message: checks it by the rules, stores it and holds its fee (G-20 to G-23, G-26). A caller that may retry passes the
 * same `messageId`: only one attempt is ever accepted (G-10). `transmitMessage` comes next. Both together make two round trips to
 * the database besides the platform's call, three if the template was not used recently. A process that dies in between leaves
 * the message in SENDING with its fee held, for recovery.
 * @throws NotFound template; ValidationError and Refused as `sendableMessage`; Refused WALLET_TOO_LOW, RECIPIENT_LIMIT;
 * PlatformAway while its circuit is open; the unique violation of `messages_pkey` if a message with this id was accepted already.
 */
export async function acceptMessage(
  deps: Deps,
  shopId: ObjectId,
  request: SendRequest,
  messageId: ObjectId = deps.ids.next(),
): Promise<MessageUnderWay> {
  const remembered = recallTemplate(shopId, request.templateId)
  const allowed = remembered && allowedBy(remembered, request)
  if (remembered !== undefined && allowed !== undefined) {
    const message = await insertMessage(deps, shopId, messageId, remembered, request, allowed)
    if (message !== undefined) return message
  }
  for (let reading = 0; reading < READINGS; reading++) {
    const template = await findSendableTemplate(deps.db, shopId, namedTemplate(request.templateId))
    if (template === undefined) throw new NotFound('template')
    const sendable = sendableMessage(template, request)
    const message = await insertMessage(deps, shopId, messageId, template, request, sendable)
    if (message !== undefined) {
      rememberTemplate(shopId, request.templateId, template)
      return message
    }
  }
  throw new Error('the template kept changing while a message was accepted')
}

/** The result of a message, and how long its sender waited for the platform. */
export type Transmitted = SendResult & { platformMs: number }

/** Sends an accepted message to the platform and writes its outcome. Never throws. */
export async function transmitMessage(
  deps: Deps,
  shopId: ObjectId,
  message: MessageUnderWay,
): Promise<Transmitted> {
  const startedAt = performance.now()
  const outcome = await callPlatformWithRetries(deps, shopId, message)
  const platformMs = performance.now() - startedAt
  // Not counted as the request's time: its caller may already have a response, and the outcome is written however long that
  // takes.
  const settled = await inShareOf(shopId, () => settleOutcome(deps, shopId, { message, outcome }))
  return { ...settled, platformMs }
}

export type TemplateName = { id: ObjectId } | { platformNumber: string }

/** Our id (24 hex characters) or the platform's number (G-20), however many digits it has; undefined for other text (G-04). */
export function templateName(text: string): TemplateName | undefined {
  if (isObjectId(text)) return { id: normalizeObjectId(text) }
  return /^\d+$/.test(text) ? { platformNumber: text } : undefined
}

/** The template that a body names. @throws ValidationError for text that is neither kind of id. */
export function namedTemplate(text: string): TemplateName {
  const name = templateName(text)
  if (name === undefined) throw invalidField(['templateId'], 'id.templateForm')
  return name
}

/** Undefined if the remembered template forbids it: only a fresh read may refuse. */
function allowedBy(template: SendableTemplate, request: SendRequest): Sendable | undefined {
  try {
    return sendableMessage(template, request)
  } catch {
    return undefined
  }
}

/**
 * Undefined if the template has changed since it was read. @throws Refused WALLET_TOO_LOW, RECIPIENT_LIMIT;
 * PlatformAway
 */
async function insertMessage(
  { db, ids, clock, config, timings, breaker, senderId }: Deps,
  shopId: ObjectId,
  messageId: ObjectId,
  template: SendableTemplate,
  request: SendRequest,
  sendable: Sendable,
): Promise<MessageUnderWay | undefined> {
  const now = clock.now()
  const { channel, phone, userUid, isSample } = request
  const circuit = breaker.circuit(template.oaId, channel === 'uid' ? 'sendToUid' : 'sendToPhone')
  if (circuit.state === 'open') {
    throw new PlatformAway(Math.ceil((circuit.retryAt.getTime() - now.getTime()) / 1000))
  }
  const message: NewMessage = {
    id: messageId,
    template,
    channel,
    phone,
    userUid,
    params: sendable.params,
    isSample,
    fee: sendable.fee,
    holdEntryId: ids.next(),
    leaseUntil: new Date(now.getTime() + timings.messageLeaseMs),
    senderId,
    defaultTimeoutSeconds: config.unknown.timeoutSeconds,
    now,
  }
  const guard = recipientGuard(template, request, config.recipientLimits)
  const accepted = await insertAcceptedMessage(db, shopId, message, guard)
  if (accepted.outcome === 'template-changed') return undefined
  if (accepted.outcome === 'recipient-limit') {
    throw new Refused('RECIPIENT_LIMIT', { retryAfterSeconds: accepted.retryAfterSeconds })
  }
  if (accepted.outcome === 'wallet-too-low') {
    const { balance } = (await findWallet(db, shopId))!
    throw new Refused('WALLET_TOO_LOW', { balance, fee: sendable.fee })
  }
  return { ...message, ...sendable, account: accepted.account, hasSmsText: accepted.hasSmsText }
}
