/**
 * Runs `work` for each name at most once at a time. Callers that ask while it runs share the result of the run after
 * it, so no caller gets the result of a run that began before they asked.
 */
export function joined<V>(work: (name: string) => Promise<V>): (name: string) => Promise<V> {
  const runs = new Map<string, { now: Promise<V>; next: Promise<V> | undefined }>()

  function begin(name: string): Promise<V> {
    const run = { now: work(name), next: undefined }
    runs.set(name, run)
    const end = () => {
      if (run.next === undefined) runs.delete(name)
    }
    run.now.then(end, end)
    return run.now
  }

  return (name) => {
    const run = runs.get(name)
    if (run === undefined) return begin(name)
    const again = () => begin(name)
    run.next ??= run.now.then(again, again)
    return run.next
  }
}
