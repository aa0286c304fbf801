import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import { detailOf, invalidField, NotFound, Refused, ValidationError } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { normalizePhone } from '../../../lib/text/phone.ts'
import { EXEMPT_TAGS, type Recipient } from '../../consents/rules.ts'
import { findOptedOut } from '../../consents/sql.ts'
import type { WalletRow } from '../../wallet/sql.ts'
import { checkUid, recipientGuard, type SendableTemplate, sendableMessage } from '../rules.ts'
import { namedTemplate } from '../send/send-message.ts'
import { findSendableTemplate } from '../sql.ts'
import { findRecipientWaits, type QueuedMessage } from './queue-sql.ts'
import type { RefusedRow } from './sql.ts'

/** One message as requested, with exactly one of the two recipients. */
export type BatchMessage = {
  receiverPhone?: string
  userUID?: string
  params: Record<string, string | number>
}

/** `templateId`: our id or the platform's number (G-20). */
export type AskedBatch = {
  templateId: string
  messages: BatchMessage[]
  /** The recipients of earlier batches of the same list, for a check only; a recipient of two messages appears twice. */
  recipientsBefore?: string[] | undefined
}

export type PlannedMessage = Omit<QueuedMessage, 'id'> & { index: number }

/**
 * The messages of a batch that are accepted and those that are refused, each in their order; the balance before and after, in
 * đồng.
 */
export type DecidedBatch = {
  template: SendableTemplate
  accepted: PlannedMessage[]
  refused: RefusedRow[]
  hasOtp: boolean
  balance: number
  balanceAfter: number
}

/**
 * Decides each message of a batch by the rules of E5 and E6 (G-27), both for sending and for a preview. A message is refused, and
 * named by its index, for its fields, for a recipient that opted out (G-77), for the recipient's limits, or for a fee that the
 * balance does not cover after the fees of the messages before it. When the messages are accepted, `readWallet` locks the wallet,
 * so that what is read after it stays true until the transaction ends. `says` words a refusal in the caller's language.
 * @throws NotFound template; Refused TEMPLATE_NOT_SENDABLE, OA_NOT_LINKED, which concern every message.
 */
export async function decideBatch(
  db: Db,
  shopId: ObjectId,
  asked: AskedBatch,
  {
    limits,
    readWallet,
    says,
    now,
  }: {
    limits: Config['recipientLimits']
    readWallet: (db: Db, shopId: ObjectId) => Promise<WalletRow | undefined>
    says: (refused: Refused) => string
    now: Date
  },
): Promise<DecidedBatch> {
  const template = await findSendableTemplate(db, shopId, namedTemplate(asked.templateId))
  if (template === undefined) throw new NotFound('template')
  const { planned, refused } = planMessages(template, asked, says)
  const refuse = (index: number, reason: Refused) =>
    refused.push({ index, message: says(reason), code: reason.code })

  const { balance } = (await readWallet(db, shopId))!
  const guard = recipientGuard(template, { isSample: false }, limits)
  const recipients = withEarlier(planned, asked.recipientsBefore ?? [])
  const waits = await findRecipientWaits(db, shopId, recipients, guard, now)
  const named = { templateId: template.id, exemptTags: EXEMPT_TAGS }
  const optedOut = new Set((await findOptedOut(db, shopId, named, recipients)).map(nameOf))
  let left = balance
  const accepted: PlannedMessage[] = []
  for (const [place, message] of planned.entries()) {
    const { index, fee } = message
    const retryAfterSeconds = waits[place]
    if (optedOut.has(nameOf(recipients[place]!))) {
      refuse(index, new Refused('RECIPIENT_OPTED_OUT'))
    } else if (retryAfterSeconds !== null && retryAfterSeconds !== undefined) {
      refuse(index, new Refused('RECIPIENT_LIMIT', { retryAfterSeconds }))
    } else if (fee > left) {
      refuse(index, new Refused('WALLET_TOO_LOW', { balance: left, fee }))
    } else {
      left -= fee
      accepted.push(message)
    }
  }
  refused.sort((one, other) => one.index - other.index)
  return { template, accepted, refused, hasOtp: guard.hasOtp, balance, balanceAfter: left }
}

/** The messages that the rules allow, and those that they refuse. @throws the refusals that concern every message. */
function planMessages(
  template: SendableTemplate,
  request: AskedBatch,
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

/** Each message's recipient, with the number of earlier messages to the same recipient, including those of `before`. */
function withEarlier(planned: PlannedMessage[], before: string[]) {
  const seen = new Map<string, number>()
  for (const recipient of before) {
    for (const channel of ['phone', 'uid'] as const) {
      const key = nameOf({ channel, recipient })
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
  }
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
