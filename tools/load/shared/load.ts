import autocannon from 'autocannon'

export type Shot = {
  method: 'GET' | 'POST'
  path: string
  apiKey: string
  body?: () => string
  headers?: Record<string, string>
}

/** `why`: how often which status or error was a failure. */
export type Result = {
  perSecond: number
  p50: number
  p99: number
  failures: number
  why: Record<string, number>
}

/**
 * Sends `next()` repeatedly for `seconds` on `connections` keep-alive connections, one request at a time on each, and
 * measures every response. Anything but a 2xx or a 304 is a failure. With `perSecond`, no more than that are sent a second.
 */
export async function measure(
  url: string,
  connections: number,
  seconds: number,
  next: () => Shot,
  perSecond?: number,
): Promise<Result> {
  const times: number[] = []
  const why: Record<string, number> = {}
  const failed = (reason: string) => {
    why[reason] = (why[reason] ?? 0) + 1
  }
  const startedAt = performance.now()
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds,
        ...(perSecond === undefined ? {} : { overallRate: Math.round(perSecond) }),
        requests: [
          {
            setupRequest(request) {
              const shot = next()
              return {
                ...request,
                method: shot.method,
                path: shot.path,
                headers: {
                  'x-api-key': `service-partner ${shot.apiKey}`,
                  ...(shot.body === undefined ? {} : { 'content-type': 'application/json' }),
                  ...shot.headers,
                },
                ...(shot.body === undefined ? {} : { body: shot.body() }),
              }
            },
          },
        ],
      },
      (error) => (error ? reject(error) : resolve()),
    )
    instance.on('response', (_client, statusCode, _bytes, responseTime) => {
      times.push(responseTime)
      if (statusCode >= 300 && statusCode !== 304) failed(String(statusCode))
    })
    instance.on('reqError', (error: Error) => failed(error.message))
  })
  const elapsed = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    perSecond: times.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    failures: Object.values(why).reduce((sum, n) => sum + n, 0),
    why,
  }
}
