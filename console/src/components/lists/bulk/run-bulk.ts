/** The service is asked for this many rows at a time: others use it too. */
export const AT_ONCE = 4

export type Refused<R> = { row: R; error: unknown }
export type BulkResult<R> = {
  done: R[]
  refused: Refused<R>[]
  /** What was not begun any more. */
  left: R[]
}

/**
 * Does `act` for each row, {@link AT_ONCE} at a time in their order, until all are done or `isStopped`. A refusal is of
 * its row alone; after one that `isAway`, no answer at all, nothing further is begun.
 */
export async function runBulk<R>(
  rows: readonly R[],
  act: (row: R) => Promise<unknown>,
  options: {
    isStopped: () => boolean
    isAway: (error: unknown) => boolean
    onProgress: (ended: number) => void
  },
): Promise<BulkResult<R>> {
  const result: BulkResult<R> = { done: [], refused: [], left: [] }
  const waiting = [...rows]
  let isAway = false
  async function work() {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      if (isAway || options.isStopped()) {
        result.left.push(row)
        continue
      }
      try {
        await act(row)
        result.done.push(row)
      } catch (error) {
        isAway ||= options.isAway(error)
        result.refused.push({ row, error })
      }
      options.onProgress(result.done.length + result.refused.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return result
}

/** A part of a row's change is done: doing it again would do that part twice. */
export class HalfDone extends Error {}
