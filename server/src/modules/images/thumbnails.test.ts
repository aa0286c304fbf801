import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createIds } from '../../lib/object-id.ts'
import { MOST_THUMBNAILS } from './rules.ts'
import { createThumbnails } from './thumbnails.ts'

const ids = createIds()
const bytes = await sharp({ create: { width: 8, height: 4, channels: 3, background: '#c33' } })
  .png()
  .toBuffer()

describe('thumbnails', () => {
  it('reads and makes each once, however many ask for it at once and afterwards', async () => {
    const { of } = createThumbnails()
    const shopId = ids.next()
    let reads = 0
    const ask = () =>
      of('a', shopId, async () => {
        reads += 1
        return bytes
      })
    const small = await Promise.all(Array.from({ length: 50 }, ask))
    small.push(await ask())
    expect(new Set(small).size).toBe(1)
    expect(reads).toBe(1)
  })

  it('refuses what a shop asks for beyond its share with IMAGES_BUSY, and makes another shop’s after one of them', async () => {
    const { of } = createThumbnails()
    const [one, other] = [ids.next(), ids.next()]
    const read = async () => bytes
    let done = 0
    const many = Array.from({ length: MOST_THUMBNAILS.ofShop }, (_, n) =>
      of(`many ${n}`, one, read).then(() => {
        done += 1
      }),
    )
    await expect(of('one more', one, read)).rejects.toMatchObject({ code: 'IMAGES_BUSY' })
    await of('other', other, read)
    expect(done).toBeLessThanOrEqual(2)
    await Promise.all(many)
    await of('one more', one, read)
  })

  it('stores nothing for one that does not exist or cannot be read', async () => {
    const { of } = createThumbnails()
    const shopId = ids.next()
    expect(await of('a', shopId, async () => undefined)).toBeUndefined()
    await expect(of('a', shopId, async () => Buffer.from('none'))).rejects.toThrow()
    expect(await of('a', shopId, async () => bytes)).toBeInstanceOf(Buffer)
  })
})
