import type { Deps } from '../../../deps.ts'
import { Unauthorized } from '../../../errors.ts'
import { isObjectId, normalizeObjectId } from '../../../lib/object-id.ts'
import type { InboundRequest } from '../../../platform/provider.ts'
import { reportSecretOf, textProtocolOf } from '../../../platform/providers.ts'
import { listReportingSenders } from '../../sms-senders/sql.ts'
import { storableText } from '../outcome/endings.ts'
import { endSms } from './end-fallback.ts'
import { findOpenFallback } from './sql.ts'

/**
 * Applies what the provider of a shop's SMS reports: one arrived and is charged, or will not arrive and is not (G-92). It may come
 * twice, late, or before the answer of the call; the first word stands. What names no SMS that is open, or one that was handed over
 * with other keys, changes nothing.
 * @throws Unauthorized unless the shop's sender, or one that it had until lately, has told its provider this address.
 */
export async function receiveSmsReport(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'secrets' | 'log'>,
  shop: string,
  request: InboundRequest,
): Promise<void> {
  const shopId = isObjectId(shop) ? normalizeObjectId(shop) : undefined
  if (shopId === undefined) throw new Unauthorized('smsReport')
  const senders = await listReportingSenders(deps.db, shopId)
  const sender = senders.find(({ provider, keys }) =>
    textProtocolOf(provider).inbound.isGenuine(request, reportSecretOf(provider, deps.secrets, keys), []),
  )
  if (sender === undefined) throw new Unauthorized('smsReport')
  const { inbound } = textProtocolOf(sender.provider)
  const event = inbound.parse(request.rawBody.toString(), deps.clock.now())
  if (event.kind !== 'receipt' && event.kind !== 'failure') return
  const { trackingId } = event
  if (trackingId === undefined || !isObjectId(trackingId)) return
  const sms = await findOpenFallback(deps.db, shopId, normalizeObjectId(trackingId))
  // One that was put off or never handed over cannot be what is reported.
  if (sms === undefined || sms.state === 'QUEUED' || sms.keys_id !== sender.keys_id) return
  const sessionId = storableText(event.msgId ?? '')
  await endSms(
    deps,
    sms,
    event.kind === 'receipt'
      ? { outcome: 'DELIVERED', deliveredAt: event.deliveredAt, sessionId, cause: '' }
      : { outcome: 'FAILED', sessionId, cause: storableText(event.cause) },
  )
}
