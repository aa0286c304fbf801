import { sqlProblem } from './client.ts'

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Runs `work`, which reads the records that its transaction then refers to, once more if one of them was deleted in
 * between: the second reading finds out which, or finds the record that took its place.
 */
export async function againIfDeleted<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error) => {
    if (sqlProblem(error)?.state === FOREIGN_KEY_VIOLATION) return work()
    throw error
  })
}
