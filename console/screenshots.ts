import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SCREENSHOTS } from './screens.ts'
import { takeScreens } from './take-screens.ts'

/**
 * `npm run screenshots`: every screen of router.tsx with the demo's data, at 1440 and 390 px, as
 * `docs/screenshots/<screen>-<width>.png`. Words as arguments take only the screens whose path contains one of them; DARK=1
 * takes them dark, SCREENSHOTS_DIR into another folder.
 */
const target = process.env.SCREENSHOTS_DIR ?? SCREENSHOTS
mkdirSync(target, { recursive: true })
await takeScreens(
  process.argv.slice(2),
  process.env.DARK === '1' ? 'dark' : 'light',
  async ({ name, picture }) => {
    await picture.png({ palette: true, colours: 64, effort: 7 }).toFile(join(target, `${name}.png`))
  },
)
