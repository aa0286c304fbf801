/**
 * Runs `work` for each name at most once at a time. A run begins at the end of the event loop's turn, or of the run before
 * it, and its result is shared by all callers that asked until then. No caller gets the result of a run that began before
 * they asked.
 */
export function singleFlight<V>(work: (name: string) => Promise<V>): (name: string) => Promise<V> {
  type Run = { outcome: Promise<V>; hasBegun: boolean }
  const runs = new Map<string, Run>()

  function runAfter(name: string, earlier: Promise<unknown>): Promise<V> {
    const begin = (): Promise<V> => {
      run.hasBegun = true
      return work(name)
    }
    const run: Run = { outcome: earlier.then(begin, begin), hasBegun: false }
    runs.set(name, run)
    const end = () => {
      if (runs.get(name) === run) runs.delete(name)
    }
    run.outcome.then(end, end)
    return run.outcome
  }

  return (name) => {
    const run = runs.get(name)
    if (run === undefined) return runAfter(name, new Promise((resolve) => setImmediate(resolve)))
    return run.hasBegun ? runAfter(name, run.outcome) : run.outcome
  }
}
