import type { Deps } from '../../../deps.ts'
import { detailOf, invalidField, NotFound, Refused, ValidationError } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { normalizePhone } from '../../../lib/text/phone.ts'
import { EXEMPT_TAGS, type Recipient } from '../../consents/rules.ts'
import { findOptedOut } from '../../consents/sql.ts'
import { holdFees, lockWallet } from '../../wallet/sql.ts'
import { checkUid, recipientGuard, type SendableTemplate, sendableMessage } from '../rules.ts'
import { namedTemplate } from '../send/send-message.ts'
import { findSendableTemplate } from '../sql.ts'
import { findRecipientWaits, insertQueuedMessages, type QueuedMessage } from './queue-sql.ts'
import { priorityOf } from './rules.ts'
import { insertBatch, type RefusedRow } from './sql.ts'

/** One message as asked for: exactly one of the recipients. */
export type BatchMessage = {
  receiverPhone?: string
  userUID?: string
  params: Record<string, string | number>
}

export type BatchRequest = {
  /** Our id or the platform's number (G-20). */
  templateId: string
  name: string
  scheduledAt: Date | null
  messages: BatchMessage[]
}

type PlannedMessage = Omit<QueuedMessage, 'id'> & { index: number }

/**
 * Accepts a batch (G-27): each message is checked by the rules of E5 and E6, and those that pass are stored in QUEUED
 * with their fees held, all in one transaction; from then on the plan is frozen. Refused messages are named by their
 * index: for their fields, a recipient that opted out (G-77), their recipient's limits, or a fee that the balance does not cover after the fees of those
 * before. `says` words a refusal in the caller's language.
 * @throws NotFound template; Refused TEMPLATE_NOT_SENDABLE, OA_NOT_LINKED, which hold for every message.
 */
export async function acceptBatch(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'config'>,
  shopId: ObjectId,
  batchId: ObjectId,
  request: BatchRequest,
  says: (refused: Refused) => string,
): Promise<void> {
  const { ids, clock, config } = deps
  const now = clock.now()
  await deps.db.transaction().execute(async (trx) => {
    const template = await findSendableTemplate(trx, shopId, namedTemplate(request.templateId))
    if (template === undefined) throw new NotFound('template')
    const { planned, refused } = planMessages(template, request, says)
    const refuse = (index: number, reason: Refused) =>
      refused.push({ index, message: says(reason), code: reason.code })

    const wallet = (await lockWallet(trx, shopId))!
    const guard = recipientGuard(template, { isSample: false }, config.recipientLimits)
    const recipients = withEarlier(planned)
    const waits = await findRecipientWaits(trx, shopId, recipients, guard, now)
    const optedOut = new Set(
      (await findOptedOut(trx, shopId, { templateId: template.id, exemptTags: EXEMPT_TAGS }, recipients)).map(
        nameOf,
      ),
    )
    let balance = wallet.balance
    const accepted: QueuedMessage[] = []
    for (const [place, { index, ...message }] of planned.entries()) {
      const retryAfterSeconds = waits[place]
      if (optedOut.has(nameOf(recipients[place]!))) {
        refuse(index, new Refused('RECIPIENT_OPTED_OUT'))
      } else if (retryAfterSeconds !== null && retryAfterSeconds !== undefined) {
        refuse(index, new Refused('RECIPIENT_LIMIT', { retryAfterSeconds }))
      } else if (message.fee > balance) {
        refuse(index, new Refused('WALLET_TOO_LOW', { balance, fee: message.fee }))
      } else {
        balance -= message.fee
        accepted.push({ ...message, id: ids.next() })
      }
    }

    await insertBatch(trx, shopId, {
      id: batchId,
      name: request.name,
      templateId: template.id,
      oaId: template.oaId,
      channels: [...new Set(accepted.map((message) => message.channel))],
      priority: priorityOf(template.params),
      accepted: accepted.length,
      refused: refused.sort((one, other) => one.index - other.index),
      scheduledAt: request.scheduledAt,
      now,
    })
    const { platformTemplateId, oaId } = template
    const batch = { id: batchId, templateId: template.id, platformTemplateId: platformTemplateId!, oaId }
    await insertQueuedMessages(
      trx,
      shopId,
      { ...batch, hasOtp: guard.hasOtp, defaultTimeoutSeconds: config.unknown.timeoutSeconds, now },
      accepted,
    )
    const holds = accepted.map(({ id, fee }) => ({ entryId: ids.next(), messageId: id, fee }))
    await holdFees(trx, shopId, holds, now)
  })
}

/** The messages that the rules allow, and those that they refuse. @throws the refusals that hold for every message. */
function planMessages(
  template: SendableTemplate,
  request: BatchRequest,
  says: (refused: Refused) => string,
): { planned: PlannedMessage[]; refused: RefusedRow[] } {
  const planned: PlannedMessage[] = []
  const refused: RefusedRow[] = []
  for (const [index, message] of request.messages.entries()) {
    try {
      planned.push(planMessage(template, request.templateId, message, index))
    } catch (error) {
      if (error instanceof ValidationError) {
        const { key, message, rule, values } = detailOf(error.problems[0]!)
        refused.push({ index, message, keys: [key], rule, values })
      } else if (error instanceof Refused && !isForAll(error)) {
        refused.push({ index, message: says(error), code: error.code })
      } else {
        throw error
      }
    }
  }
  return { planned, refused }
}

function isForAll({ code }: Refused): boolean {
  return code === 'TEMPLATE_NOT_SENDABLE' || code === 'OA_NOT_LINKED'
}

/** @throws ValidationError, Refused as {@link sendableMessage} */
function planMessage(
  template: SendableTemplate,
  templateId: string,
  { receiverPhone, userUID, params }: BatchMessage,
  index: number,
): PlannedMessage {
  const at = ['messages', index]
  const common = { templateId, isSample: false, params, paramsPath: [...at, 'params'] }
  if (receiverPhone !== undefined && userUID !== undefined) {
    throw invalidField(at, 'object.xor', { peers: ['receiverPhone', 'userUID'] })
  }
  if (userUID !== undefined) {
    checkUid(userUID, [...at, 'userUID'])
    const recipient = { channel: 'uid' as const, phone: '', userUid: userUID }
    const { params: values, fee } = sendableMessage(template, { ...common, ...recipient })
    return { ...recipient, index, params: values, fee }
  }
  if (receiverPhone === undefined) {
    throw invalidField(at, 'object.missing', { peers: ['receiverPhone', 'userUID'] })
  }
  const phone = normalizePhone(receiverPhone)
  if (phone === undefined) throw invalidField([...at, 'receiverPhone'], 'string.phone')
  const recipient = { channel: 'phone' as const, phone, userUid: '' }
  const { params: values, fee } = sendableMessage(template, { ...common, ...recipient })
  return { ...recipient, index, params: values, fee }
}

/** Each message's recipient, with the number of earlier messages to the same recipient. */
function withEarlier(planned: PlannedMessage[]) {
  const seen = new Map<string, number>()
  return planned.map(({ channel, phone, userUid }) => {
    const recipient = channel === 'phone' ? phone : userUid
    const key = nameOf({ channel, recipient })
    const earlier = seen.get(key) ?? 0
    seen.set(key, earlier + 1)
    return { channel, recipient, earlier }
  })
}

function nameOf({ channel, recipient }: Recipient): string {
  return `${channel} ${recipient}`
}
