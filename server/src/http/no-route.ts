import type { FastifyRequest } from 'fastify'
import { MethodNotAllowed, NotFound } from '../errors.ts'
import type { App } from './app-type.ts'

/** The error for a request that no route serves: 405 if its path has other methods, otherwise 404 (G-02). */
export type NoRoute = (request: FastifyRequest) => NotFound | MethodNotAllowed

type KnownPath = { pattern: RegExp; isFixed: boolean; methods: Set<string> }

/**
 * Collects the routes that are added to `app` from now on, and returns how a request that none of them serves is
 * answered. The console's pages, which are at every other path, do not count.
 */
export function watchRoutes(app: App): NoRoute {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '/*') return
    const path = known.get(url) ?? { pattern: patternOf(url), isFixed: !/[:*]/.test(url), methods: new Set() }
    for (const one of [method].flat()) path.methods.add(one)
    known.set(url, path)
  })
  return ({ url }) => {
    const [path = ''] = url.split('?', 1)
    const found = [...known.values()].filter(({ pattern }) => pattern.test(path))
    // `/products/export` also has the form of `/products/:id`, whose methods are of no use for it.
    const fixed = found.filter(({ isFixed }) => isFixed)
    const methods = (fixed.length > 0 ? fixed : found).flatMap((one) => [...one.methods])
    return methods.length === 0
      ? new NotFound('route')
      : new MethodNotAllowed([...new Set(methods)].toSorted())
  }
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+'
    return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace('*', '.*')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
