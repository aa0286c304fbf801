import cluster from 'node:cluster'

/** Noted when the program is loaded, because npm may be ended before the service is ready. */
const starter = process.ppid

/** The service as the only command of a script: what a script puts in the background outlives its shell on purpose. */
const SERVICE_ALONE = /^["']?(?:shopbell|node [^&;|]*\/(?:main\.ts|shopbell\.js))["']?(?: [^&;|]*)?$/

const CHECKED_EVERY_MS = 1_000

/**
 * Calls `stop` when the shell is gone in which `npx shopbell` or `npm start` runs this process. npm passes SIGTERM to
 * that shell only, which ends without passing it on, so the service would keep its port and database unseen.
 */
export function stopWithNpm(stop: () => void): void {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script } = process.env
  if (event === undefined || !SERVICE_ALONE.test(script ?? '') || !cluster.isPrimary) return
  const check = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(check)
    stop()
  }, CHECKED_EVERY_MS)
  check.unref()
}
