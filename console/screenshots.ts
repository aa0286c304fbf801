import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SCREENSHOTS } from './screens.ts'
import { takeScreens } from './take-screens.ts'

/**
 * `npm run screenshots`: takes pictures of every screen in router.tsx with the demo's data, at 1440 and 390 px, and
 * of the main ones also dark and in English, and writes them to `docs/screenshots/<screen>-<width>.png`. Arguments limit
 * it to screens whose path or name contains one of them. SCREENSHOTS_DIR names another folder.
 */
const target = process.env.SCREENSHOTS_DIR ?? SCREENSHOTS
mkdirSync(target, { recursive: true })
await takeScreens(process.argv.slice(2), async ({ name, picture }) => {
  await picture.png({ palette: true, colours: 64, effort: 7 }).toFile(join(target, `${name}.png`))
})
