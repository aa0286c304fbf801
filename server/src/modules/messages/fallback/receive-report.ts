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
 * Applies a report from the provider of a shop's SMS: an SMS that arrived is charged, one that will not arrive is not (G-92).
 * Reports may come twice, late, or before the response to the send; the first one decides. A report changes nothing if it names
 * no open SMS, or one that was sent with other keys.
 * @throws Unauthorized unless the address belongs to the shop's SMS sender, or to one that it had until recently.
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
  // An SMS in QUEUED was deferred or never sent, so the report cannot be about it.
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
