import { type DBSchema, type IDBPTransaction, openDB } from 'idb'
import type { CsvRow } from '../../../../csv.ts'
import type { Template } from '../../../templates/editor/draft.ts'
import type { Planned, RefusedRow } from '../plan-batch.ts'

/** What the service responded to a call. */
export type CallResult = { batchId: string; accepted: number; refused: RefusedRow[] }

/** One call of a batch. Calls are sent in order, each only after the one before was accepted. */
export type PlannedCall = {
  /** Its `Idempotency-Key`. */
  key: string
  /** When it was first sent, in ms; undefined if the service cannot have accepted it. */
  triedAtMs: number | undefined
  result: CallResult | undefined
}

/** The input from which a plan was made. */
export type Typed = { pasted: string; name: string; scheduledAt: string }

type Head = {
  personId: string
  shopId: string
  id: string
  template: Pick<Template, '_id' | 'params'>
  name: string
  /** ISO 8601; undefined means immediately. */
  scheduledAt: string | undefined
  header: CsvRow
  /** The rows that the check refused. */
  unsent: RefusedRow[]
  typed: Typed
  calls: PlannedCall[]
}
/** What was to be sent when the button was pressed. Its rows never change, because a key holds for one body only. */
export type BatchPlan = Head & { rows: Planned[] }

/** The rows are stored apart from the calls, so that noting a response does not write a large file again. */
interface Kept extends DBSchema {
  plans: { key: [string, string]; value: Head }
  rows: { key: [string, string]; value: Planned[] }
}
type Change = IDBPTransaction<Kept, ['plans', 'rows'], 'readwrite'>

export type PlanOwner = Pick<Head, 'personId' | 'shopId'>
const keyOf = ({ personId, shopId }: PlanOwner): [string, string] => [personId, shopId]

/** The plan of a person in a shop whose calls are not all known to be accepted. */
export function readPlan(owner: PlanOwner): Promise<BatchPlan | undefined> {
  return inStore((change) => planIn(change, owner))
}

/**
 * Stores a plan before it is sent.
 * @returns the stored plan: another one if this browser, perhaps another tab, already has one of this person and shop
 */
export function holdPlan(plan: BatchPlan): Promise<BatchPlan> {
  return inStore(async (change) => {
    const found = await planIn(change, plan)
    if (found !== undefined) return found
    const { rows, ...head } = plan
    await change.objectStore('plans').put(head)
    await change.objectStore('rows').put(rows, keyOf(plan))
    return plan
  })
}

/** Stores what is known about the calls, unless another tab has discarded the plan. */
export function noteCalls(plan: BatchPlan): Promise<void> {
  return inStore(async (change) => {
    const plans = change.objectStore('plans')
    const { rows, ...head } = plan
    if ((await plans.get(keyOf(plan)))?.id === plan.id) await plans.put(head)
  })
}

/** Deletes a plan that is accepted or discarded. */
export function dropPlan(plan: BatchPlan): Promise<void> {
  return inStore(async (change) => {
    const plans = change.objectStore('plans')
    if ((await plans.get(keyOf(plan)))?.id !== plan.id) return
    await plans.delete(keyOf(plan))
    await change.objectStore('rows').delete(keyOf(plan))
  })
}

async function planIn(change: Change, owner: PlanOwner): Promise<BatchPlan | undefined> {
  const head = await change.objectStore('plans').get(keyOf(owner))
  const rows = await change.objectStore('rows').get(keyOf(owner))
  return head && rows && { ...head, rows }
}

/**
 * Runs a change in one transaction, which is on the disk before this resolves. `work` must wait for nothing else.
 * IndexedDB, because a list of customers can be larger than the few MB of the other stores.
 */
async function inStore<R>(work: (change: Change) => Promise<R>): Promise<R> {
  const store = await openDB<Kept>('shopbell-batches', 1, {
    upgrade(created) {
      created.createObjectStore('plans', { keyPath: ['personId', 'shopId'] })
      created.createObjectStore('rows')
    },
  })
  try {
    const change = store.transaction(['plans', 'rows'], 'readwrite', { durability: 'strict' })
    const [result] = await Promise.all([work(change), change.done])
    return result
  } finally {
    store.close()
  }
}
