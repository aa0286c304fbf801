import { randomId } from '@shopbell/client'
import { useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { currentLanguage } from '../../../texts/language.tsx'
import type { Template } from '../../templates/editor/draft.ts'
import { MAX_MESSAGES, type Planned, type RefusedRow, refusedReason } from './plan-batch.ts'

type BatchOrder = {
  template: Template
  name: string
  /** ISO 8601; undefined means immediately. */
  scheduledAt: string | undefined
  rows: Planned[]
}
/** The service's responses so far. */
export type HandedIn = { batchIds: string[]; accepted: number; refused: RefusedRow[]; rows: number }

const NOTHING: HandedIn = { batchIds: [], accepted: 0, refused: [], rows: 0 }

/**
 * Submits the rows in calls of at most {@link MAX_MESSAGES}, each with its own idempotency key. If a call fails,
 * `mutate` continues with that call and its key, so no row is sent twice even if a response was lost.
 */
export function useBatchSending(order: BatchOrder) {
  const [handedIn, setHandedIn] = useState(NOTHING)
  const keys = useRef<string[]>([])
  const calls = Math.ceil(order.rows.length / MAX_MESSAGES)

  async function handIn(call: number): Promise<HandedIn> {
    const rows = order.rows.slice(call * MAX_MESSAGES, (call + 1) * MAX_MESSAGES)
    keys.current[call] ??= randomId()
    const { data } = await dataOf(
      api.POST('/api/external/notify-message/batches', {
        params: { header: { 'Idempotency-Key': keys.current[call] } },
        body: {
          templateId: order.template._id,
          name: calls > 1 ? `${order.name} (${call + 1}/${calls})` : order.name,
          ...(order.scheduledAt === undefined ? {} : { scheduledAt: order.scheduledAt }),
          messages: rows.map(({ message }) => message),
        },
      }),
    )
    const refused = data.refused.map((refusal) => {
      const { fields, line } = rows[refusal.index]!
      return { fields, line, reason: refusedReason(refusal, order.template, currentLanguage()) }
    })
    return { batchIds: [data._id], accepted: data.accepted, refused, rows: rows.length }
  }

  const sending = useAction({
    run: async () => {
      let all = handedIn
      while (all.batchIds.length < calls) {
        const one = await handIn(all.batchIds.length)
        all = {
          batchIds: [...all.batchIds, ...one.batchIds],
          accepted: all.accepted + one.accepted,
          refused: [...all.refused, ...one.refused],
          rows: all.rows + one.rows,
        }
        setHandedIn(all)
      }
    },
    stale: [['batches'], ['wallet']],
    quiet: true,
  })
  return { sending, handedIn }
}
