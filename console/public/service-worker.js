/** Keeps the console's own files, so that it opens while the service is away. `build.ts` fills FILES, VERSION and NOT_A_PAGE in. */
const FILES = []
const VERSION = 'none'

/** As the build has it: the service adds what the screen at an address loads, which is here already. */
const PAGE = '/index.html'
const PREFIX = 'shopbell-'
const CACHE = PREFIX + VERSION
/** A page is the service's newest, if that answers soon. */
const ANSWER_MS = 4_000
/** The service's own addresses: they are no pages of the console. */
const NOT_A_PAGE = /^$/

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)))
})

/** The version before stays: its pages may still be open, and load what they have not yet shown. */
self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const kept = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE)
      await Promise.all(kept.slice(0, -1).map((name) => caches.delete(name)))
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!NOT_A_PAGE.test(pathname)) event.respondWith(page(request))
  } else if (pathname.startsWith('/assets/') || FILES.includes(pathname)) {
    event.respondWith(file(request))
  }
})

async function page(request) {
  const kept = async (response) => (await caches.match(PAGE, { cacheName: CACHE })) ?? response
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(ANSWER_MS) })
    return response.status >= 500 ? await kept(response) : response
  } catch {
    return kept(Response.error())
  }
}

async function file(request) {
  const own = await caches.match(request, { cacheName: CACHE })
  return own ?? (await caches.match(request)) ?? fetch(request)
}
