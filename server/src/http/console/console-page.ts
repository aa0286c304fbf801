import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MetaTag } from '../../config.ts'
import { withMetaTag } from './domain-proof.ts'

/** One screen of the console's build: its path as the router has it (`/orders/$orderId`) and the files that it loads first. */
type Screen = { path: string; scripts: string[]; styles: string[]; needsSession: boolean }

/** The address of the signed-in person's data, which every screen that needs a session reads. */
const ME = '/api/console/v1/me'

/**
 * Returns the console's page for a path. The page names the scripts and styles of that path's screen and the address of
 * the signed-in person's data, so the browser fetches them at the same time as the main script and not afterwards
 * (decision 0057).
 */
export function buildConsolePage(folder: string, meta: MetaTag | undefined): (path: string) => string {
  const plain = readFileSync(join(folder, 'index.html'), 'utf8')
  const page = meta === undefined ? plain : withMetaTag(plain, meta)
  const screens = readScreens(folder).map((screen) => ({
    of: patternOf(screen.path),
    page: page.replace('</head>', () => `${tagsOf(screen).join('')}</head>`),
  }))
  return (path) => screens.find(({ of }) => of.test(path))?.page ?? page
}

/** The screens, those with a fixed path before those with a parameter in the same place: `/products/new` is no product id. */
function readScreens(folder: string): Screen[] {
  const path = join(folder, 'screens.json')
  if (!existsSync(path)) return []
  const screens = JSON.parse(readFileSync(path, 'utf8')) as Screen[]
  return screens.sort((a, b) => Number(a.path.includes('$')) - Number(b.path.includes('$')))
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => (part.startsWith('$') ? '[^/]+' : part))
  return new RegExp(`^${parts.join('/')}/?$`)
}

function tagsOf({ scripts, styles, needsSession }: Screen): string[] {
  return [
    ...(needsSession ? [`<link rel="preload" as="fetch" crossorigin href="${ME}">`] : []),
    ...styles.map((href) => `<link rel="stylesheet" crossorigin href="${href}">`),
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}">`),
  ]
}
