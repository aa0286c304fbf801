import { readFileSync } from 'node:fs'

/**
 * How long, since boot, some process of this machine was ready to run but had no processor (Linux's pressure stall
 * information); 0 if the kernel does not report it. Long responses during that time say little about the service.
 */
export function shortOfProcessorsMs(): number {
  return Number(/^some .*total=(\d+)/.exec(read('/proc/pressure/cpu'))?.[1] ?? 0) / 1_000
}

/** How long the first thread of a process has waited for a processor. */
export function waitedForProcessorMs(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(' ')[1] ?? 0) / 1e6
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
