import type { Config, MetaTag } from '../../config.ts'
import { escapeHtml } from '../../lib/text/text.ts'
import type { App } from '../app-type.ts'

/**
 * Serves the proof to the platform that the domain is ours: its file at `/<name>`, and at `/` a page with its meta tag
 * if no console is served there.
 */
export function domainProofRoutes(
  app: App,
  { meta, file }: Config['domainProof'],
  { hasConsole }: { hasConsole: boolean },
): void {
  if (file !== undefined) {
    const type = file.name.endsWith('.txt') ? 'text/plain' : 'text/html'
    app.get(`/${file.name}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).send(file.text),
    )
  }
  if (meta !== undefined && !hasConsole) {
    app.get('/', { schema: { hide: true } }, async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .send(withMetaTag('<!doctype html><html><head><title>Shopbell</title></head></html>', meta)),
    )
  }
}

/** Returns the page with the tag at the end of its head. */
export function withMetaTag(page: string, { name, content }: MetaTag): string {
  const tag = `<meta name="${escapeHtml(name)}" content="${escapeHtml(content)}">`
  return page.replace('</head>', () => `${tag}</head>`)
}
