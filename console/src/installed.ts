import { hasUnsaved } from './components/forms/leave-question.tsx'
import { firstScreenOver } from './later.ts'
import { router } from './router.tsx'

const LOOK_FOR_NEWS_MS = 3_600_000

/**
 * Installs the service worker, which caches the console's files. A new version takes over at once. A page of the
 * previous version is reloaded when its person next navigates, never while something is unsaved.
 */
export function install(): void {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || serviceWorker === undefined) return
  let isInstalled = serviceWorker.controller !== null
  let isOutdated = false
  serviceWorker.addEventListener('controllerchange', () => {
    // The very first worker takes over a page of its own version.
    if (isInstalled) isOutdated = true
    isInstalled = true
  })
  router.subscribe('onBeforeLoad', ({ toLocation, pathChanged }) => {
    if (isOutdated && pathChanged && !hasUnsaved()) location.assign(toLocation.href)
  })
  void firstScreenOver.then(() => {
    serviceWorker
      .register('/service-worker.js')
      .then((worker) => setInterval(() => void worker.update().catch(() => undefined), LOOK_FOR_NEWS_MS))
      // Without the worker the console still works, as long as the service is available.
      .catch(() => undefined)
  })
}
