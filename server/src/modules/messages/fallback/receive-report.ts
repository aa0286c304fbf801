import type { Deps } from '../../../deps.ts'
import { Unauthorized } from '../../../errors.ts'
import { isObjectId, normalizeObjectId } from '../../../lib/object-id.ts'
import type { InboundRequest } from '../../../platform/provider.ts'
import { reportSecretOf, textProtocolOf } from '../../../platform/providers.ts'
import { findSmsSender } from '../../sms-senders/sql.ts'
import { storableText } from '../outcome/endings.ts'
import { endSms } from './end-fallback.ts'
import { findOpenFallback } from './sql.ts'

/**
 * Applies what the provider of a shop's SMS reports: one arrived and is charged, or will not arrive and is not (G-92). It may come
 * twice, late, or before the answer of the call; the first word stands. What names no SMS that is open changes nothing.
 * @throws Unauthorized unless the shop's sender has told its provider this address.
 */
export async function receiveSmsReport(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'secrets' | 'log'>,
  shop: string,
  request: InboundRequest,
): Promise<void> {
  const shopId = isObjectId(shop) ? normalizeObjectId(shop) : undefined
  const sender = shopId === undefined ? undefined : await findSmsSender(deps.db, shopId)
  if (shopId === undefined || sender === undefined) throw new Unauthorized('smsReport')
  const { inbound } = textProtocolOf(sender.provider)
  const secret = reportSecretOf(sender.provider, deps.secrets, sender.keys)
  if (!inbound.isGenuine(request, secret, [])) throw new Unauthorized('smsReport')
  const event = inbound.parse(request.rawBody.toString(), deps.clock.now())
  if (event.kind !== 'receipt' && event.kind !== 'failure') return
  const { trackingId } = event
  if (trackingId === undefined || !isObjectId(trackingId)) return
  const sms = await findOpenFallback(deps.db, shopId, normalizeObjectId(trackingId))
  // One that was put off or never handed over cannot be what is reported.
  if (sms === undefined || sms.state === 'QUEUED') return
  const sessionId = storableText(event.msgId ?? '')
  await endSms(
    deps,
    sms,
    event.kind === 'receipt'
      ? { outcome: 'DELIVERED', deliveredAt: event.deliveredAt, sessionId, cause: '' }
      : { outcome: 'FAILED', sessionId, cause: storableText(event.cause) },
  )
}
