import type { paths } from '@shopbell/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { currentLanguage } from '../../../texts/language.tsx'
import type { Template } from '../../templates/editor/draft.ts'
import { MAX_MESSAGES, type Planned, type RefusedRow, refusedReason } from './plan-batch.ts'
import { walletQuery } from './wallet-query.ts'

type Preview =
  paths['/api/external/notify-message/batches/preview']['post']['responses'][200]['content']['application/json']['data']

/**
 * What will wait: beyond the account's quota, null if the platform did not name it; and at night, null by day. `expiresAt`: one-time
 * passwords do not wait longer than that; null for other templates.
 */
type Waits = Pick<Preview, 'quota' | 'nightUntil' | 'expiresAt'>
/**
 * The rows that the service would accept now, those that it would refuse, and the fees and the balance of then, in đồng. The
 * balance of now is that of {@link walletQuery}.
 */
export type CheckedBatch = Waits & {
  rows: Planned[]
  refused: RefusedRow[]
  fees: number
  balance: number
}
/** The technical type of a one-time password. */
const OTP = '12'

type Understood = { row: Planned; recipient: string }

/**
 * Asks the service what would happen to the rows if they were sent at the time that it is called with, or now; nothing is
 * sent or held. With `repeatedReason`, only the first row of
 * each recipient is kept: the service says which recipient a number means, in whatever form it is written. The rows are then
 * checked once more without the repeated ones. `checkedRows` is the number checked so far.
 */
export function useBatchCheck(
  template: Template,
  rows: Planned[],
  repeatedReason: ((line: number) => string) | undefined,
) {
  const client = useQueryClient()
  const [checkedRows, setCheckedRows] = useState(0)
  const check = useMutation({
    mutationFn: async (scheduledAt: string | undefined): Promise<CheckedBatch> => {
      const repeated = new Map<Planned, RefusedRow>()
      for (;;) {
        const left = rows.filter((row) => !repeated.has(row))
        const { understood, refused, ...sums } = await checkAll(template, left, scheduledAt, setCheckedRows)
        const again = repeatedReason === undefined ? [] : repeatedIn(understood, repeatedReason)
        if (again.length === 0) {
          const all = [...repeated.values(), ...refused].sort((one, other) => one.line - other.line)
          return { rows: understood.map(({ row }) => row), refused: all, ...sums }
        }
        // Without these rows, the wallet may cover others.
        for (const [row, refusal] of again) repeated.set(row, refusal)
      }
    },
    onSuccess({ balance }) {
      client.setQueryData(walletQuery.queryKey, (before) => before && { ...before, balance })
      void client.invalidateQueries({ queryKey: walletQuery.queryKey, exact: true })
    },
  })
  return { ...check, checkedRows }
}

async function checkAll(
  template: Template,
  rows: Planned[],
  scheduledAt: string | undefined,
  onProgress: (rows: number) => void,
) {
  const understood: Understood[] = []
  const refused: RefusedRow[] = []
  const hasOtp = template.params.some(({ techSetting }) => techSetting === OTP)
  let fees = 0
  let balance: number | undefined
  let waits: Waits | undefined
  for (let from = 0; from < rows.length; from += MAX_MESSAGES) {
    onProgress(from)
    const some = rows.slice(from, from + MAX_MESSAGES)
    const { data } = await dataOf(
      api.POST('/api/external/notify-message/batches/preview', {
        body: {
          templateId: template._id,
          feesBefore: fees,
          messagesBefore: understood.length,
          ...(scheduledAt !== undefined && { scheduledAt }),
          messages: some.map(({ message }) => message),
          // Only one-time passwords are limited per recipient.
          ...(hasOtp && from > 0 && { recipientsBefore: understood.map(({ recipient }) => recipient) }),
        },
      }),
    )
    for (const { index, recipient } of data.recipients) understood.push({ row: some[index]!, recipient })
    for (const refusal of data.refused) {
      const { fields, line } = some[refusal.index]!
      refused.push({ fields, line, reason: refusedReason(refusal, template, currentLanguage()) })
    }
    balance ??= data.balance
    fees += data.fees
    waits = waits === undefined ? data : { ...waits, quota: bothQuotas(waits.quota, data.quota) }
  }
  const { quota = null, nightUntil = null, expiresAt = null } = waits ?? {}
  return { understood, refused, fees, balance: balance ?? 0, quota, nightUntil, expiresAt }
}

/** What the quota leaves to the whole list, from what it leaves to its first calls and to the one after them. */
function bothQuotas(first: Waits['quota'], next: Waits['quota']): Waits['quota'] {
  return first && next && { ...first, waiting: first.waiting + next.waiting }
}

function repeatedIn(understood: Understood[], reason: (line: number) => string): [Planned, RefusedRow][] {
  const firstLines = new Map<string, number>()
  return understood.flatMap(({ row, recipient }): [Planned, RefusedRow][] => {
    const first = firstLines.get(recipient)
    if (first !== undefined) return [[row, { fields: row.fields, line: row.line, reason: reason(first) }]]
    firstLines.set(recipient, row.line)
    return []
  })
}
