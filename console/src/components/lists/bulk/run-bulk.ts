/** How many rows are processed at the same time; the service has other users too. */
export const AT_ONCE = 4

export type Refused<R> = { row: R; error: unknown }
export type BulkResult<R> = {
  done: R[]
  refused: Refused<R>[]
  /** The rows that were not started. */
  left: R[]
}

/**
 * Calls `act` for each row in order, {@link AT_ONCE} at a time, until all are done or `isStopped`. A refusal concerns
 * only its row. After an error for which `isAway`, because no response came, no further row is started.
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

/** A row's change was not made, or not all of it. The message is for the reader. */
export class RowProblem extends Error {}

/** A part of a row's change was made, and repeating the change would make that part twice. */
export class HalfDone extends RowProblem {}
