import { createHash, timingSafeEqual } from 'node:crypto'
import { asText } from '../chatapp/wire.ts'
import type { InboundRequest, ProviderEvent, ProviderProtocol } from '../provider.ts'
import { describeEsmsCode } from './esms-codes.ts'
import { esmsStatus } from './esms-provider.ts'

/** Our name for the event in which eSMS reports the outcome of an SMS; eSMS has no name for it. */
const REPORT = 'sms_report'

/**
 * The requests that eSMS sends: a GET with everything in its query. Only the secret in its address proves its origin.
 */
export const ESMS: ProviderProtocol = {
  inbound: {
    eventName: (request) => (asText(fieldsOf(textOf(request)).SMSID) === undefined ? undefined : REPORT),
    isReadable: () => true,
    // The address names the sender.
    accountsNamed: () => [],
    isSigned: (request) => request.addressKey !== undefined,
    isGenuine: ({ addressKey }, { secret }) =>
      addressKey !== undefined && secret !== '' && timingSafeEqual(digest(addressKey), digest(secret)),
    parse: parseReport,
  },
  describe: describeEsmsCode,
}

/** The content of a report, from its query. */
function parseReport(text: string, receivedAt: Date): ProviderEvent {
  const fields = fieldsOf(text)
  const msgId = asText(fields.SMSID)
  const trackingId = asText(fields.RequestId)
  const status = esmsStatus(fields)
  if (msgId === undefined && trackingId === undefined) return { kind: 'other', name: REPORT }
  const ids = {
    ...(msgId === undefined ? {} : { msgId }),
    ...(trackingId === undefined ? {} : { trackingId }),
  }
  // The report has no time of its own.
  if (status === 'delivered') return { kind: 'receipt', ...ids, deliveredAt: receivedAt }
  if (status === 'failed') return { kind: 'failure', ...ids, cause: `SendStatus ${fields.SendStatus}` }
  return { kind: 'other', name: REPORT }
}

function textOf({ rawBody }: InboundRequest): string {
  return rawBody.toString()
}

function fieldsOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
