import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Deps } from '../deps.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { imageKey } from '../modules/images/rules.ts'
import { CATEGORIES, type CategoryName } from './data.ts'

/** The addresses of the demo's own pictures: none of them are fetched from elsewhere. */
export type Pictures = {
  /** The picture of a product; `index` chooses one of a few colours. */
  product(category: CategoryName, index: number): string
  news(index: number): string
  logoLight: string
  logoDark: string
}

const GROUNDS = ['#e7f0ea', '#f3e9dc', '#e6ecf5', '#f6e7e4'] as const
const INKS = ['#2f6b4f', '#8a5a2b', '#31568a', '#9a4034'] as const

/** One drawing per category, in a square of 24: no letters, since a machine may have no fonts. */
const SHAPES: Record<CategoryName, string> = {
  'Thời trang nữ': 'M9 3l3 2.5 3-2.5 3 2-1.5 4H15l3 12H6L9 9H7.5L6 5z',
  'Thời trang nam': 'M8 3l4 2 4-2 5 3-2 5-2-1v11H7V10l-2 1-2-5z',
  'Gốm & bàn ăn': 'M10 3h4v3c3 1.5 4.5 4 4.5 7 0 4-2.5 7-4 8h-5c-1.5-1-4-4-4-8 0-3 1.5-5.5 4.5-7z',
  'Trà & cà phê':
    'M4 8h13v2h2a3 3 0 0 1 0 6h-2.3A6.5 6.5 0 0 1 4 14zM17 12v2h1.5a1 1 0 0 0 0-2zM3 20h16v1.5H3z',
  'Quà tặng':
    'M3 8h8v3H3zm10 0h8v3h-8zM4 12.5h7V21H4zm9 0h7V21h-7zM11.5 7C7 7 6.5 3 9 3c1.8 0 2.8 2 3 3 .2-1 1.2-3 3-3 2.5 0 2 4-2.5 4z',
}
const HOUSE = 'M12 3l9 8h-2.5v9h-5v-6h-3v6h-5v-9H3z'

/** Draws the pictures and stores them like uploads. */
export async function drawPictures(
  { images, config }: Pick<Deps, 'images' | 'config'>,
  shopId: ObjectId,
): Promise<Pictures> {
  const { default: sharp } = await import('sharp')

  async function keep(svg: string): Promise<string> {
    const bytes = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const key = imageKey({ shopId, sha256, ending: 'png' })
    await images.put(key, bytes, 'image/png')
    return `${ownAddress(config)}/images/${key}`
  }

  const products: string[][] = []
  for (const category of CATEGORIES) {
    products.push(
      await Promise.all(GROUNDS.map((ground, n) => keep(tile(480, 480, ground, INKS[n]!, SHAPES[category])))),
    )
  }
  const news = await Promise.all(GROUNDS.map((ground, n) => keep(tile(960, 480, ground, INKS[n]!, HOUSE))))
  return {
    product: (category, index) => products[CATEGORIES.indexOf(category)]![index % GROUNDS.length]!,
    news: (index) => news[index % GROUNDS.length]!,
    logoLight: await keep(logo('#2f6b4f')),
    logoDark: await keep(logo('#dff2e6')),
  }
}

function tile(width: number, height: number, ground: string, ink: string, shape: string): string {
  const size = 240
  const place = `translate(${(width - size) / 2} ${(height - size) / 2}) scale(${size / 24})`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${ground}"/><path transform="${place}" fill="${ink}" d="${shape}"/></svg>`
}

/** The house with the rings of a tree trunk beside it. */
function logo(ink: string): string {
  const rings = [40, 30, 20, 10]
    .map((radius) => `<circle cx="190" cy="48" r="${radius}" fill="none" stroke="${ink}" stroke-width="4"/>`)
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="96">
<path transform="scale(4)" fill="${ink}" d="${HOUSE}"/>${rings}</svg>`
}

function ownAddress({ publicUrl, host, port }: Deps['config']): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return publicUrl ?? `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}
