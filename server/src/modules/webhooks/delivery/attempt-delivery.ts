import { SpanKind } from '@opentelemetry/api'
import type { Deps } from '../../../deps.ts'
import { forRequest } from '../../../lib/request-id.ts'
import { inSpan } from '../../../lib/spans.ts'
import {
  guardedFetch,
  OutboundFailed,
  OutboundRefused,
  outboundRule,
} from '../../../platform/guarded-fetch.ts'
import { type Attempt, retryAfterMs } from './rules.ts'
import { signedRequest } from './signing.ts'
import type { TakenDelivery } from './take-sql.ts'

const ANSWER_BYTES = 4_096
const ANSWER_CHARACTERS = 500

/**
 * One request of a delivery: a signed POST (G-62). Redirects are not followed; the address is checked when connecting.
 * Never throws: a failure becomes the attempt's error.
 */
export async function attemptDelivery(
  deps: Deps,
  delivery: TakenDelivery,
  startedAt: Date,
): Promise<Attempt> {
  const { config, secrets, timings, clock, log } = deps
  const startedMs = performance.now()
  const durationMs = () => Math.round(performance.now() - startedMs)
  const { event_id: eventId, type, data, created_at: createdAt, sequence } = delivery
  try {
    const signing = [delivery.secret, delivery.old_secret].filter((sealed) => sealed !== null)
    const { headers, body } = signedRequest(
      { id: eventId, type, data, createdAt, sequence },
      signing.map((sealed) => secrets.open(sealed)),
      startedAt,
    )
    const answer = await forRequest(delivery.request_id, () =>
      inSpan(
        'webhook delivery',
        SpanKind.CLIENT,
        { 'shopbell.event_id': eventId, 'shopbell.event_type': type },
        () =>
          guardedFetch({
            url: delivery.url,
            method: 'POST',
            headers:
              delivery.request_id === null ? headers : { ...headers, 'x-request-id': delivery.request_id },
            body,
            timeoutMs: timings.webhookTimeoutMs,
            maxBytes: ANSWER_BYTES,
            cutsLongAnswers: true,
            allows: outboundRule(config.outboundAllowPrivate),
          }),
      ),
    )
    return {
      status: answer.status,
      durationMs: durationMs(),
      answer: shown(answer.body),
      error: null,
      retryAfterMs: retryAfterMs(answer.headers['retry-after'], clock.now()),
    }
  } catch (error) {
    const isTheirs = error instanceof OutboundRefused || error instanceof OutboundFailed
    if (!isTheirs) log.error({ err: error, eventId }, 'a webhook request could not be made')
    return {
      status: null,
      durationMs: durationMs(),
      answer: '',
      error: isTheirs ? error.message : 'the request could not be made',
      retryAfterMs: undefined,
    }
  }
}

/** An endpoint may respond with any bytes; PostgreSQL stores no NUL. */
function shown(body: Buffer): string {
  const text = body.toString('utf8').replaceAll('\0', '').toWellFormed()
  return [...text].slice(0, ANSWER_CHARACTERS).join('')
}
