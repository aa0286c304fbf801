import type { WireAnswer } from './client.ts'
import type { Sent } from './requests/mistakes.ts'
import { STALL_MS, type Watch } from './watch.ts'

export type Failure = {
  problems: string[]
  times: number
  n: number
  mistakes: string[]
  curl: string
  answer: string
}

export type Report = ReturnType<typeof emptyReport>

type Counts = Map<string, number>
type Measured = Awaited<ReturnType<Watch['end']>>
const SHOWN_OF_BODY = 2_000

/** The report of a run, still empty; `failures`, `problems` and `notAnswered` must be empty at its end. */
export function emptyReport(about: { seed: number; url: string; database: string }) {
  const statuses: Counts = new Map()
  const operations = new Map<string, Counts>()
  const failures = new Map<string, Failure>()
  const count = (counts: Counts, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

  const report = {
    ...about,
    sent: 0,
    malformedIds: 0,
    slowestMs: 0,
    statuses,
    operations,
    failures,
    /** Operations for which no request got a 2xx. */
    notAnswered: [] as string[],
    /** Records that an operation needed but that could not be created, by the operation's name. */
    unprepared: new Map<string, string>(),
    /** Problems of the process, its log or its data. */
    problems: [] as string[],
    measured: undefined as Measured | undefined,

    successes(name: string): number {
      const counts = operations.get(name)
      return [...(counts ?? [])].reduce((sum, [status, n]) => (status < '300' ? sum + n : sum), 0)
    },
    take(sent: Sent, answer: WireAnswer, problems: string[], n: number): void {
      const status = String(answer.status)
      count(statuses, status)
      // A request with another method does not belong to the operation.
      const { name, method } = sent.draft.operation
      if (sent.method === method) {
        if (!operations.has(name)) operations.set(name, new Map())
        count(operations.get(name)!, status)
      }
      if (status === '500' && problems.length === 0) report.malformedIds += 1
      report.slowestMs = Math.max(report.slowestMs, answer.ms)
      if (problems.length > 0)
        report.fail(sent, problems, n, `${status} ${answer.bytes.toString().slice(0, 500)}`)
    },
    /** One failure of each kind is kept completely; the others are counted. */
    fail(sent: Sent, problems: string[], n: number, answer = ''): void {
      const key = `${sent.draft.operation.name} ${problems.join(' ').replace(/[0-9a-f]{24}|\d+/g, '#')}`
      const known = failures.get(key)
      if (known !== undefined) known.times += 1
      else
        failures.set(key, {
          problems,
          times: 1,
          n,
          mistakes: sent.mistakes,
          curl: curl(sent, about.url),
          answer,
        })
    },
    isGood(): boolean {
      return failures.size === 0 && report.problems.length === 0 && report.notAnswered.length === 0
    },
  }
  return report
}

/** The request as a command line; if the body is too long, only its beginning. */
function curl({ method, path, headers, body }: Sent, url: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const parts = ['curl', '-i', '--path-as-is', '-X', method]
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoted(`${name}: ${value}`))
  if (body !== undefined) {
    const text = body.toString('utf8')
    parts.push(
      '--data-binary',
      quoted(text.length > SHOWN_OF_BODY ? `${text.slice(0, SHOWN_OF_BODY)}… (${body.length} bytes)` : text),
    )
  }
  parts.push(quoted(url + path))
  return parts.join(' ')
}

/** The closing summary. */
export function summaryOf(report: Report, { isLong }: { isLong: boolean }): string {
  const list = (counts: Counts) =>
    [...counts]
      .sort()
      .map(([status, n]) => `${status}: ${n}`)
      .join('  ')
  const lines = [
    `\n${report.database}, seed ${report.seed}: ${report.sent} requests`,
    `by status   ${list(report.statuses)}`,
  ]
  if (isLong) {
    lines.push('by operation')
    for (const [name, counts] of [...report.operations].sort()) lines.push(`  ${name}   ${list(counts)}`)
  }
  lines.push(`malformed ids, answered with 500 as the contract says: ${report.malformedIds}`)
  lines.push(`slowest answer: ${Math.round(report.slowestMs)} ms`)
  const { measured } = report
  if (measured !== undefined) {
    const { longest, stalls, rssMb, scrapes } = measured
    lines.push(
      `event loop, ${scrapes} scrapes: busy for ${Math.round(longest.busyMs)} ms at most; memory ${Math.round(rssMb)} MB at most`,
    )
    lines.push(`it did not turn for more than ${STALL_MS} ms in ${stalls.length} of them; the longest:`)
    for (const { lagMs, busyMs, waitedMs, during } of stalls.sort((a, b) => b.lagMs - a.lagMs).slice(0, 5)) {
      lines.push(
        `  did not turn for ${Math.round(lagMs)} ms, busy ${Math.round(busyMs)} ms, waited for a processor ${Math.round(waitedMs)} ms in that second: ${during[0] ?? ''}`,
      )
    }
  }
  for (const [says, name] of report.unprepared) lines.push(`not prepared for ${name}: ${says}`)
  for (const name of report.notAnswered)
    lines.push(
      `FAILURE ${name} was never answered with a 2xx: add what it needs to tools/fuzz/requests/valid-drafts.ts`,
    )
  for (const [, { problems, times, n, mistakes, curl: command, answer }] of report.failures) {
    lines.push(`FAILURE ${times} times, first in request ${n} (${mistakes.join('; ') || 'well meant'})`)
    for (const problem of problems) lines.push(`  ${problem}`)
    lines.push(`  ${command}`, `  ${answer}`)
  }
  for (const problem of report.problems) lines.push(`FAILURE ${problem}`)
  lines.push(report.isGood() ? `nothing found; seed ${report.seed}` : `NOT GOOD; seed ${report.seed}`)
  return lines.join('\n')
}
