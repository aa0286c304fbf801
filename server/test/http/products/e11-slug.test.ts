import { describe, expect, it } from 'vitest'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()

async function make(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct(overrides))).body.data
}

function update(shop: Partner, id: string, patch: Record<string, unknown>) {
  return shop.patch(`${PRODUCTS}/${id}`, { shopId: shop.shopId, ...patch })
}

describe('E11 slug', () => {
  it('200 makes a slug from the new name, and from the kept name after a slug of the caller’s', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, { name: 'Áo' })
    const slugs = []
    for (const patch of [
      { name: 'Quần' },
      { slug: 'Hàng Hiệu' },
      { price: 1 },
      { slug: '' },
      { slug: '!!!' },
    ]) {
      slugs.push((await update(shop, made._id, patch)).body.data.slug)
    }
    expect(slugs).toEqual(['quan', 'hang-hieu', 'quan', 'quan', 'quan'])
  })

  it('200 keeps a numbered slug of the same name, also when a lower number is free again', async () => {
    const shop = await makeShop(running)
    await make(shop, { name: 'Áo' })
    const second = await make(shop, { name: 'Áo' })
    const third = await make(shop, { name: 'Áo' })
    expect((await update(shop, third._id, { price: 1 })).body.data.slug).toBe('ao-3')
    await update(shop, second._id, { name: 'Quần' })
    expect((await update(shop, third._id, { name: 'ÁO' })).body.data.slug).toBe('ao-3')
  })

  it('G-64 200 distinguishes a number in the name from the suffix added for a clash', async () => {
    const shop = await makeShop(running)
    const chair = await make(shop, { name: 'Ghế 5' })
    expect(chair.slug).toBe('ghe-5')
    expect((await update(shop, chair._id, { price: 1 })).body.data.slug).toBe('ghe-5')
    expect((await update(shop, chair._id, { name: 'Ghế' })).body.data.slug).toBe('ghe')
    const second = await make(shop, { name: 'Ghế' })
    expect(second.slug).toBe('ghe-2')
    // The suffix was given for this name, and stays for another name that folds to the same text.
    for (const patch of [{ price: 2 }, { name: 'GHẾ' }, { vat: 8 }]) {
      expect((await update(shop, second._id, patch)).body.data.slug).toBe('ghe-2')
    }
    // Now the number is part of the name itself, not a suffix.
    expect((await update(shop, second._id, { name: 'Ghế 2' })).body.data.slug).toBe('ghe-2')
    await update(shop, chair._id, { name: 'Tủ' })
    expect((await update(shop, second._id, { name: 'Ghế' })).body.data.slug).toBe('ghe')
  })

  it('G-64 200 every update without a slug takes the name’s, whatever was sent before', async () => {
    const shop = await makeShop(running)
    const table = await make(shop, { name: 'Bàn' })
    for (const slug of ['ban-10', 'ban-go', 'ban-2']) {
      expect((await update(shop, table._id, { slug })).body.data.slug).toBe(slug)
      expect((await update(shop, table._id, { price: 1 })).body.data.slug).toBe('ban')
    }
  })

  it('200 gives a slug sent the next free number; the product’s own does not clash', async () => {
    const shop = await makeShop(running)
    const first = await make(shop, { name: 'Áo' })
    const second = await make(shop, { name: 'Áo' })
    const hat = await make(shop, { name: 'Mũ' })
    expect((await update(shop, hat._id, { slug: 'ao' })).body.data.slug).toBe('ao-3')
    expect((await update(shop, second._id, { slug: 'ao' })).body.data.slug).toBe('ao-2')
    expect((await update(shop, first._id, { slug: 'ao' })).body.data.slug).toBe('ao')
    expect((await update(shop, hat._id, { slug: 'mu' })).body.data.slug).toBe('mu')
  })

  it('200 for 10 products renamed to one name at once, each with a slug of its own', async () => {
    const shop = await makeShop(running)
    const made = await Promise.all(Array.from({ length: 10 }, (_, n) => make(shop, { name: `Số ${n}` })))
    const answers = await Promise.all(made.map((product) => update(shop, product._id, { name: 'Chung' })))
    expect(answers.map((answer) => answer.status)).toEqual(made.map(() => 200))
    expect(new Set(answers.map((answer) => answer.body.data.slug)).size).toBe(10)
  })
})
