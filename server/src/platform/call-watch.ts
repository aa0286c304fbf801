import { SpanKind } from '@opentelemetry/api'
import { openSpan } from '../lib/spans.ts'
import type { Endpoint } from './breaker.ts'
import type { Platform, PlatformOutcome } from './types.ts'

/** One call that went out: how it ended and how long it took. */
export type WatchedCall = { endpoint: Endpoint; outcome: 'ok' | 'rejected' | 'unknown'; seconds: number }

export type CallWatch = {
  wrap(platform: Platform): Platform
  /** Calls `listener` for each call from now on. */
  listen(listener: (call: WatchedCall) => void): void
}

/** Times the calls of a platform, for the metrics and the trace. */
export function createCallWatch(): CallWatch {
  const listeners: ((call: WatchedCall) => void)[] = []

  async function timed<T>(
    endpoint: Endpoint,
    call: Promise<PlatformOutcome<T>>,
  ): Promise<PlatformOutcome<T>> {
    const startedAt = performance.now()
    const span = openSpan(`platform ${endpoint}`, SpanKind.CLIENT)
    let outcome: WatchedCall['outcome'] = 'unknown'
    try {
      const answer = await call
      outcome = answer.kind
      return answer
    } finally {
      span.setAttribute('shopbell.outcome', outcome).end()
      const seconds = (performance.now() - startedAt) / 1000
      for (const tell of listeners) tell({ endpoint, outcome, seconds })
    }
  }

  return {
    wrap: (platform) => ({
      uploadImage: (...call) => timed('uploadImage', platform.uploadImage(...call)),
      createTemplate: (...call) => timed('createTemplate', platform.createTemplate(...call)),
      editTemplate: (...call) => timed('editTemplate', platform.editTemplate(...call)),
      templateInfo: (...call) => timed('templateInfo', platform.templateInfo(...call)),
      listTemplates: (...call) => timed('listTemplates', platform.listTemplates(...call)),
      sendToPhone: (...call) => timed('sendToPhone', platform.sendToPhone(...call)),
      sendToUid: (...call) => timed('sendToUid', platform.sendToUid(...call)),
      messageStatus: (...call) => timed('messageStatus', platform.messageStatus(...call)),
      messageQuota: (...call) => timed('messageQuota', platform.messageQuota(...call)),
    }),
    listen(listener) {
      listeners.push(listener)
    },
  }
}
