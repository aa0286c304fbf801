/** The time that parsing takes in this process. */
export function parsingMs(text: string, times: number): number {
  const start = process.cpuUsage()
  for (let n = 0; n < times; n++) JSON.parse(text)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/** The time that {@link timesSlower} measures on a dedicated machine: two cores of an AMD EPYC, 2026-11-24. */
const REFERENCE_MS = 90

const reference = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, n])))

/** How many times slower than a dedicated machine this one is at the moment: a shared machine may provide half a core. */
export function timesSlower(): number {
  return Math.max(1, parsingMs(reference, 10) / REFERENCE_MS)
}
