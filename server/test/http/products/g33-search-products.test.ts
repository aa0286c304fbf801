import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { foldCode } from '../../../src/lib/text/fold.ts'
import { importFile } from '../../support/imports.ts'
import { createProduct, namesOfProducts, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, service } from '../../support/service.ts'

const running = await service()

describe('G-33 search', () => {
  it('200 for any words of the name in any order, without accents, case or whole words', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { name: 'Áo dài lụa đỏ' })
    await createProduct(shop, { name: 'Áo thun' })
    await createProduct(await makeShop(running), { name: 'Áo dài' })
    for (const search of [
      'ao dai',
      'ĐỎ áo',
      'lua do dai ao',
      'LỤA',
      'Lụa'.normalize('NFD'),
      ' dài ',
      'lu do',
    ]) {
      expect(await namesOfProducts(shop, { search })).toEqual(['Áo dài lụa đỏ'])
    }
    expect(await namesOfProducts(shop, { search: 'áo vàng' })).toEqual([])
    expect(await namesOfProducts(shop, { search: ' ' })).toHaveLength(2)
    expect(await namesOfProducts(shop, { search: '' })).toHaveLength(2)
  })

  it('200 for a word of one or two letters at the beginning of a word only, alone and with others', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { name: 'Khăn' })
    await createProduct(shop, { name: 'Sao Tơ-Vy (XL)' })
    await createProduct(shop, { name: 'Xlan bão/ga' })
    for (const [search, names] of Object.entries({
      xl: ['Sao Tơ-Vy (XL)', 'Xlan bão/ga'],
      x: ['Sao Tơ-Vy (XL)', 'Xlan bão/ga'],
      k: ['Khăn'],
      TƠ: ['Sao Tơ-Vy (XL)'],
      vy: ['Sao Tơ-Vy (XL)'],
      'xl vy sa': ['Sao Tơ-Vy (XL)'],
      'ga bão': ['Xlan bão/ga'],
      ao: [],
      an: [],
      'y)': [],
    })) {
      expect([search, (await namesOfProducts(shop, { search })).sort()]).toEqual([search, names])
      expect([search, (await namesOfProducts(shop, { search, total: 'capped' })).sort()]).toEqual([
        search,
        names,
      ])
    }
    expect(await namesOfProducts(shop, { search: 'l)' })).toEqual(['Sao Tơ-Vy (XL)'])
  })

  it('200 for a word of one or two letters after any sign of the keyboard', async () => {
    const shop = await makeShop(running)
    const names = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~«»·×'].map((sign) => `Quạ ${sign}XL${sign} thun`)
    await Promise.all(names.map((name) => createProduct(shop, { name })))
    const found = await namesOfProducts(shop, { search: 'xl', limit: 50 })
    expect(found.sort()).toEqual(names.sort())
    expect(await namesOfProducts(shop, { search: 'l' })).toEqual([])
  })

  it('200 for words that repeat or imply others: the products that each word alone finds', async () => {
    const shop = await makeShop(running)
    const syllables = ['ao', 'aox', 'a', 'kao', 'so-mi', 'mi', 'som', '(xl', 'x', 'xl', 'trà', '茶']
    const names = syllables.flatMap((one, at) => [
      `${one} ${syllables[(at + 3) % syllables.length]}`,
      `${one}${syllables[(at + 5) % syllables.length]} ${syllables[(at + 1) % syllables.length]}`,
    ])
    await Promise.all([...new Set(names)].map((name) => createProduct(shop, { name })))
    const found = async (search: string) => (await namesOfProducts(shop, { search, limit: 50 })).sort()
    const alone = new Map<string, string[]>()
    for (const word of syllables) alone.set(word, await found(word))
    const search = fc.array(fc.constantFrom(...syllables), { minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(search, async (words) => {
        const [first, ...others] = words.map((word) => alone.get(word)!)
        const all = first!.filter((name) => others.every((one) => one.includes(name)))
        expect([words, await found(words.join(' '))]).toEqual([words, all])
      }),
      { numRuns: 40 },
    )
  })

  it('400 for more than 24 words that differ, in every list; repeated and implied words do not count', async () => {
    const shop = await makeShop(running)
    const name = Array.from({ length: 24 }, (_, n) => `a${String.fromCharCode(97 + n)}`).join(' ')
    await createProduct(shop, { name })
    expect(await namesOfProducts(shop, { search: `${name} ${name} a AA ab` })).toEqual([name])
    for (const path of [
      PRODUCTS,
      `${PRODUCTS}/export`,
      '/api/external/v1/orders',
      '/api/external/v1/customers',
    ]) {
      const { status, body } = await shop.get(`${path}?search=${encodeURIComponent(`${name} b`)}`)
      expect([path, status, body.validation?.query]).toEqual([
        path,
        400,
        { source: 'query', keys: ['search'], message: '"search" must contain at most 24 words that differ' },
      ])
    }
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('').join(' ')
    for (const path of ['/api/external/notify-template', '/api/external/news'])
      expect((await shop.get(`${path}?search=${encodeURIComponent(letters)}`)).status).toBe(400)
  })

  it('200 takes %, _ and \\ as they are', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { name: 'Giảm 100% giá', itemSku: 'A_1' })
    await createProduct(shop, { name: 'Giảm 1000 giá', itemSku: 'AB1' })
    expect(await namesOfProducts(shop, { search: '100%' })).toEqual(['Giảm 100% giá'])
    expect(await namesOfProducts(shop, { search: '%' })).toEqual(['Giảm 100% giá'])
    expect(await namesOfProducts(shop, { search: 'gi%m' })).toEqual([])
    expect(await namesOfProducts(shop, { search: 'a_' })).toEqual(['Giảm 100% giá'])
    expect(await namesOfProducts(shop, { search: '\\' })).toEqual([])
  })

  it('200 for the beginning of a code or barcode of a product or a SKU, in any case; each product once', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { ...twoByTwo(), name: 'Xl áo', itemSku: 'Ao-99', barcode: '8930001' })
    await createProduct(shop, { name: 'Mũ', itemSku: 'MU-1' })
    for (const search of ['ao-9', 'AO-99', ' Ao-', '8930', '8930001', '77', 'xl', 'XL']) {
      expect(await namesOfProducts(shop, { search })).toEqual(['Xl áo'])
    }
    expect(await namesOfProducts(shop, { search: 'o-99' })).toEqual([])
    expect(await namesOfProducts(shop, { search: '930001' })).toEqual([])
  })

  it('200 for a code in any case and any normal form of Unicode, by search and by barcode', async () => {
    const shop = await makeShop(running)
    const barcode = 'Mã-Đ1'
    await createProduct(shop, { name: 'Trà', itemSku: 'Đ12', barcode: barcode.normalize('NFD') })
    await createProduct(shop, { name: 'Sen', itemSku: 'ΟΔΟΣ1', barcode: 'STRASSE' })
    for (const search of ['đ12', 'Đ1', 'đ', barcode, barcode.toLowerCase(), 'mã-đ1'.normalize('NFD')]) {
      expect([search, await namesOfProducts(shop, { search })]).toEqual([search, ['Trà']])
    }
    for (const search of ['οδοσ', 'οδος', 'straße']) {
      expect([search, await namesOfProducts(shop, { search })]).toEqual([search, ['Sen']])
    }
    for (const asked of [barcode, barcode.normalize('NFD'), barcode.toUpperCase()]) {
      expect([asked, await namesOfProducts(shop, { barcode: asked })]).toEqual([asked, ['Trà']])
    }
    // The accents of a code count.
    expect(await namesOfProducts(shop, { search: 'D12' })).toEqual([])
  })

  it('409 for a code that another product has in another spelling; the product itself may respell it', async () => {
    const shop = await makeShop(running)
    const made = await createProduct(shop, { name: 'Trà', itemSku: 'Đ12', barcode: 'Mã1' })
    const other = await createProduct(shop, { name: 'Sen' })
    const path = `${PRODUCTS}/${other._id}`
    const skus = [{ name: 'S', price: 1, sku: 'đ12' }]
    for (const answer of [
      await shop.post(PRODUCTS, { name: 'x', price: 1, itemSku: 'đ12' }),
      await shop.post(PRODUCTS, { name: 'x', price: 1, barcode: 'MÃ1'.normalize('NFD') }),
      await shop.patch(path, { shopId: shop.shopId, itemSku: 'đ12' }),
      await shop.put(`${path}/variants`, { variants: [], skus }),
    ]) {
      expect(answer.status).toBe(409)
    }
    const twice = [
      { name: 'S', price: 1, sku: 'q', variantOptionIds: [] },
      { name: 'L', price: 1, sku: 'Q', variantOptionIds: [] },
    ]
    expect((await shop.post(PRODUCTS, { name: 'x', price: 1, skus: twice })).status).toBe(400)
    const respelled = { shopId: shop.shopId, itemSku: 'đ12', barcode: 'mã1' }
    const { status, body } = await shop.patch(`${PRODUCTS}/${made._id}`, respelled)
    expect([status, body.data.itemSku, body.data.barcode]).toEqual([200, 'đ12', 'mã1'])
    expect(await namesOfProducts(shop, { search: 'Đ12' })).toEqual(['Trà'])
    await shop.patch(`${PRODUCTS}/${made._id}`, { shopId: shop.shopId, itemSku: '', barcode: '' })
    expect((await shop.post(PRODUCTS, { name: 'x', price: 1, itemSku: 'Đ12', barcode: 'MÃ1' })).status).toBe(
      200,
    )
  })

  it('200 files find their product by a code in another spelling', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { name: 'Trà', itemSku: 'Đ12' })
    const result = await importFile(shop, 'itemSku,price\nđ12,5000\n')
    expect(result).toMatchObject({ status: 'done', updated: 1, created: 0, failed: 0 })
  })
})

describe('G-33 the database folds codes as the process does', () => {
  it('every character up to U+FFFF', async () => {
    const all = Array.from({ length: 0xffff }, (_, n) => n + 1).filter((n) => n < 0xd800 || n > 0xdfff)
    const characters = all.map((n) => String.fromCodePoint(n))
    const { rows } = await sql<{ character: string; folded: string }>`
      select character, fold_code(character) as folded
      from unnest(${characters}::text[]) as character`.execute(running.database.db)
    const off = rows.filter(({ character, folded }) => folded !== foldCode(character))
    // Letters that one of the two versions of Unicode does not have yet.
    expect(off.length).toBeLessThan(100)
    const isOld = (code: number) =>
      code < 0x180 || (code > 0x2ff && code < 0x500) || (code > 0x1dff && code < 0x1f00)
    expect(off.filter(({ character }) => isOld(character.codePointAt(0)!))).toEqual([])
  })
})
