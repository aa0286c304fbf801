import { randomId } from '@shopbell/client'
import { useState } from 'react'
import { api } from '../../../../api/client.ts'
import { isRefusal } from '../../../../api/outcome.ts'
import { dataOf, Problem } from '../../../../api/problem.ts'
import { useAction } from '../../../../components/actions.tsx'
import { useSession } from '../../../../shell/session.tsx'
import { currentLanguage, useTexts } from '../../../../texts/language.tsx'
import { MAX_MESSAGES, refusedReason } from '../plan-batch.ts'
import { type BatchPlan, type CallResult, dropPlan, holdPlan, noteCalls } from './kept-plan.ts'
import { sendingTexts } from './sending-texts.ts'

export type BatchOrder = Omit<BatchPlan, 'personId' | 'shopId' | 'id' | 'calls'>

/**
 * Sends batches so that no row is sent twice, whatever response is lost. The calls and their idempotency keys are stored
 * before the first is sent, and until all are accepted, the service has refused the first, or the person discards them;
 * meanwhile `plan` is what can be sent, unchanged. After some calls were accepted, `onAgain` follows a discard.
 */
export function useBatchSending(kept: BatchPlan | undefined, onAgain: () => void) {
  const [plan, setPlan] = useState(kept)
  const { user, shop } = useSession()
  const { notKept } = useTexts(sendingTexts)
  const sending = useAction({
    run: async (wanted: BatchPlan) => {
      const held = await holdPlan(wanted).catch(() => {
        // Without the stored keys, a lost response could lead to a second batch. Nothing was sent.
        throw new Problem(0, { message: notKept }, undefined, undefined)
      })
      setPlan(held)
      if (held.id === wanted.id) await sendCalls(held, setPlan)
    },
    stale: [['batches'], ['wallet']],
    quiet: true,
  })

  function begin(order: BatchOrder): void {
    const calls = Array.from({ length: Math.ceil(order.rows.length / MAX_MESSAGES) }, newCall)
    sending.mutate({ ...order, personId: user._id, shopId: shop?._id ?? '', id: randomId(), calls })
  }

  /** Deletes the plan. The input stays only if none of it was accepted. */
  async function discard(): Promise<void> {
    if (plan !== undefined) await dropPlan(plan).catch(() => undefined)
    if (plan?.calls.some(({ result }) => result !== undefined)) return onAgain()
    setPlan(undefined)
    sending.reset()
  }

  return { plan, sending, begin, goOn: () => plan && sending.mutate(plan), discard }
}

const newCall = () => ({ key: randomId(), triedAtMs: undefined, result: undefined })

/**
 * Sends the calls that are not known to be accepted, in order.
 * @throws the error of the first call that fails
 */
async function sendCalls(held: BatchPlan, show: (plan: BatchPlan | undefined) => void): Promise<void> {
  let plan = held
  const note = async (index: number, call: BatchPlan['calls'][number]) => {
    const next = { ...plan, calls: plan.calls.with(index, call) }
    await noteCalls(next)
    plan = next
    show(plan)
  }
  for (const [index, call] of held.calls.entries()) {
    if (call.result !== undefined) continue
    const tried = { ...call, triedAtMs: call.triedAtMs ?? Date.now() }
    await note(index, tried)
    try {
      await note(index, { ...tried, result: await handIn(plan, index) })
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (index > 0) await note(index, newCall())
      else {
        await dropPlan(plan)
        show(undefined)
      }
      throw error
    }
  }
  await dropPlan(plan)
}

async function handIn({ rows, calls, ...plan }: BatchPlan, index: number): Promise<CallResult> {
  const some = rows.slice(index * MAX_MESSAGES, (index + 1) * MAX_MESSAGES)
  const { data } = await dataOf(
    api.POST('/api/external/notify-message/batches', {
      params: { header: { 'Idempotency-Key': calls[index]!.key } },
      body: {
        templateId: plan.template._id,
        name: calls.length > 1 ? `${plan.name} (${index + 1}/${calls.length})` : plan.name,
        ...(plan.scheduledAt === undefined ? {} : { scheduledAt: plan.scheduledAt }),
        messages: some.map(({ message }) => message),
      },
    }),
  )
  const refused = data.refused.map((refusal) => {
    const { fields, line } = some[refusal.index]!
    return { fields, line, reason: refusedReason(refusal, plan.template, currentLanguage()) }
  })
  return { batchId: data._id, accepted: data.accepted, refused }
}
