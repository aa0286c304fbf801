import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { SCREENSHOTS } from './screens.ts'
import { takeScreens } from './take-screens.ts'

/**
 * `npm run check:face`: compares every screen, at 1440 and 390 px, and the main ones also dark and in English, with its
 * picture in docs/screenshots, and prints those that look different; the exit code is 1 when there are some. Arguments limit it to screens whose path or name
 * contains one of them. The pictures taken are stored in FACE_DIR. If a screen is meant to look different, `npm run screenshots`
 * makes its new picture.
 *
 * The clock stands still at the same time of the same day, so that only the ids and codes of records differ from one run
 * to the next. Both pictures are reduced to one dot for each 8 × 8 pixels, and a dot differs if its colour differs by
 * more than {@link DOT}. Other digits do not change a dot; a part that is moved, missing, or of another colour does.
 */
const PIXELS_A_DOT = 8
/** The most that red, green or blue (0 to 255) may differ in a dot. */
const DOT = 24
/** The fraction of dots that may differ. */
const MOST = 0.003

const differing: string[] = []
const keptIn = process.env.FACE_DIR
if (keptIn !== undefined) mkdirSync(keptIn, { recursive: true })

await takeScreens(process.argv.slice(2), async ({ name, height, picture }) => {
  const path = join(SCREENSHOTS, `${name}.png`)
  const png = await picture.png().toBuffer()
  if (keptIn !== undefined) await sharp(png).toFile(join(keptIn, `${name}.png`))
  if (!existsSync(path)) {
    differing.push(name)
    process.stdout.write(
      `${name}: has no picture yet; run: npm run screenshots -- ${name.replace(/-\d+(-dark-english)?$/, '')}\n`,
    )
    return
  }
  const share = await shareOfDifferent(sharp(png), sharp(path), height)
  const isDifferent = share > MOST
  if (isDifferent) differing.push(name)
  process.stdout.write(
    `${name.padEnd(40)} ${(share * 100).toFixed(1).padStart(5)} %${isDifferent ? '  DIFFERENT' : ''}\n`,
  )
})
if (differing.length > 0) {
  process.stdout.write(
    `${differing.length} screens do not look as in docs/screenshots: ${differing.join(', ')}\n`,
  )
  process.exit(1)
}

async function shareOfDifferent(one: Sharp, other: Sharp, oneHeight: number): Promise<number> {
  const { width, height: otherHeight } = await other.metadata()
  const height = Math.min(oneHeight, otherHeight)
  const [a, b] = await Promise.all([dots(one, width, height), dots(other, width, height)])
  // What only the longer one has differs.
  const longer = Math.floor(Math.abs(oneHeight - otherHeight) / PIXELS_A_DOT)
  const added = longer * Math.ceil(width / PIXELS_A_DOT)
  let different = added
  for (let at = 0; at < a.length; at += 3) {
    if ([0, 1, 2].some((colour) => Math.abs(a[at + colour]! - b[at + colour]!) > DOT)) different++
  }
  return different / (a.length / 3 + added)
}

async function dots(picture: Sharp, width: number, height: number): Promise<Buffer> {
  const cut = await picture.extract({ left: 0, top: 0, width, height }).removeAlpha().png().toBuffer()
  return await sharp(cut)
    .resize(Math.ceil(width / PIXELS_A_DOT), Math.ceil(height / PIXELS_A_DOT), {
      fit: 'fill',
      kernel: 'linear',
    })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
}
