import type { DeliveryRow, EventRow } from './sql.ts'

const STATUS = { pending: 'pending', leased: 'sending', delivered: 'delivered', failed: 'failed' } as const

export function presentEvent({ recordId, eventType, data, createdAt, sequence, deliveries }: EventRow) {
  return {
    id: recordId,
    type: eventType,
    data,
    createdAt: instant(createdAt),
    sequence,
    deliveries: deliveries.map(presentDelivery),
  }
}

function presentDelivery({ endpointId, state, attempts, dueAt, last }: DeliveryRow) {
  return {
    endpointId,
    status: STATUS[state],
    attempts,
    nextAttemptAt: state === 'pending' ? instant(dueAt) : null,
    lastAttempt: last && {
      status: last.status,
      answer: last.answer,
      error: last.error,
      durationMs: last.durationMs,
      createdAt: instant(last.createdAt),
    },
  }
}

function instant(text: string): string {
  return new Date(text).toISOString()
}
