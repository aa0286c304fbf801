import { describe, expect, it } from 'vitest'
import { imageEndingOf, imageKey, readImagePath } from './rules.ts'

const shopId = 'a'.repeat(24)
const sha256 = '0f'.repeat(32)

describe('images by their content', () => {
  it('are identified by their first bytes, and nothing else is accepted', () => {
    expect(imageEndingOf(Buffer.from('89504e470d0a1a0a00', 'hex'))).toBe('png')
    expect(imageEndingOf(Buffer.from('ffd8ffe0', 'hex'))).toBe('jpg')
    expect(imageEndingOf(Buffer.from('RIFF0000WEBPVP8 '))).toBe('webp')
    for (const other of ['', 'GIF89a', '<svg xmlns=', 'RIFF0000WAVE', '%PDF-1.7']) {
      expect(imageEndingOf(Buffer.from(other)), other).toBeUndefined()
    }
  })
})

describe('addresses of images', () => {
  it('are read exactly as they are written', () => {
    const image = { shopId, sha256, ending: 'webp' } as const
    const [shop, file] = imageKey(image).split('/')
    expect(readImagePath(shop!, file!)).toEqual(image)
  })

  it.each([
    [shopId, `${sha256}.svg`],
    [shopId, `${sha256}.png.bak`],
    [shopId, `${sha256.toUpperCase()}.png`],
    [shopId, `../${sha256}.png`],
    ['..', `${sha256}.png`],
    [`${shopId}/..`, `${sha256}.png`],
    [shopId, `${sha256}.png\n`],
  ])('%s/%s is none', (shop, file) => {
    expect(readImagePath(shop, file)).toBeUndefined()
  })
})
