/**
 * `work` for a name, once at a time: all who ask while it runs get what its next run gives. None gets the outcome of a
 * run that began before they asked.
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
