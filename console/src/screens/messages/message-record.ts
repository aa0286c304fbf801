import type { paths } from '@shopbell/client'

export type MessageRecord =
  paths['/api/external/notify-message/history']['get']['responses'][200]['content']['application/json']['histories'][number]
export type MessageDetail =
  paths['/api/external/notify-message/messages/{id}']['get']['responses'][200]['content']['application/json']['data']
export type MessageState = MessageDetail['status']
/** The status on screens: one that was cancelled with its batch before it was sent has not failed. */
export type ShownState = MessageState | 'CANCELLED'

export function stateOf({ status, reason }: { status: MessageState; reason: string }): ShownState {
  return status === 'ERROR' && reasonOf(reason)?.code === 'CANCELLED' ? 'CANCELLED' : status
}

/** Why a message was not sent, as a sentence, with the values that were given; undefined if there is no reason. */
export function reasonOf(
  reason: string,
): { error: string; code: string; params: Record<string, string> } | undefined {
  if (reason === '') return undefined
  try {
    const { error, code, params } = JSON.parse(reason) as {
      error?: unknown
      code?: unknown
      params?: Record<string, unknown>
    }
    return {
      error: String(error ?? ''),
      code: String(code ?? ''),
      params: Object.fromEntries(Object.entries(params ?? {}).map(([key, value]) => [key, String(value)])),
    }
  } catch {
    return { error: reason, code: '', params: {} }
  }
}

/**
 * What became of a message's fee, in đồng; undefined while it is held, if there was none, or if the history does not say.
 * An official account may be charged on delivery, so acceptance by the platform alone is not enough. A late charge is named
 * by its own event.
 */
export function settledFee({
  status,
  deliveredBy,
  events,
}: MessageDetail): { vnd: number; isCharged: boolean } | undefined {
  // The last hold counts: when an SMS takes a message's place, the message's own fee is released.
  const vnd = events.findLast(({ fee }) => fee !== undefined)?.fee ?? 0
  if (vnd === 0 || !hasBeginning(events) || events.some(({ kind }) => kind === 'late')) return undefined
  if (status === 'ERROR') return { vnd, isCharged: false }
  const isDelivered = deliveredBy === 'sms' || events.some(({ deliveryTime }) => deliveryTime !== undefined)
  return status === 'RECEIVED' && isDelivered ? { vnd, isCharged: true } : undefined
}

/** Whether the history is complete: it is deleted when it is older than the retention period, and may begin again (G-105). */
export function hasBeginning(events: MessageDetail['events']): boolean {
  return events[0]?.kind === 'accepted'
}
