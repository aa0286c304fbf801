import { readdirSync, readFileSync } from 'node:fs'

/** The resident memory of a process now, and the most that it was. */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: mb('VmRSS'), peak: mb('VmHWM') }
}

/** A service's metrics of its process, by their names. */
export async function metricsOf(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return (name) => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)`, 'm').exec(text)?.[1])
}

/** Processor time that all threads of a process used so far; NaN where the system does not say it. */
export function processorMs(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map(
        (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
      )
      .reduce((sum, ms) => sum + ms, 0)
  } catch {
    return Number.NaN
  }
}
