import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

const CATEGORIES = '/api/external/v1/categories'

async function categoryNamed(name: string) {
  const { body } = await shop.api('GET', `${CATEGORIES}?limit=500`)
  return body.data.categories.find((category: { name: string }) => category.name === name)
}

describe('categories', () => {
  it('makes one and another below it, renames it and moves it to the root', async () => {
    const page = await shop.open('/products')
    await page.getByRole('tab', { name: 'Danh mục' }).click()
    await page.getByRole('button', { name: 'Thêm danh mục' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Tên danh mục').fill('Đồ uống')
    await form.getByRole('button', { name: 'Tạo' }).click()
    await form.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Thêm mục con của Đồ uống' }).click()
    await form.getByLabel('Tên danh mục').fill('Mứt')
    await form.getByRole('button', { name: 'Tạo' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Mứt', exact: true }).waitFor()
    const drinks = await categoryNamed('Đồ uống')
    expect(await categoryNamed('Mứt')).toMatchObject({ parentId: drinks._id, depth: 1, slug: 'mut' })
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Sửa Mứt' }).click()
    await form.getByLabel('Tên danh mục').fill('Mứt & kẹo')
    await expect
      .poll(() => form.getByRole('combobox', { name: 'Thuộc danh mục' }).inputValue())
      .toBe('Đồ uống')
    await form.getByRole('combobox', { name: 'Thuộc danh mục' }).click()
    await page.getByRole('option', { name: 'Danh mục gốc' }).click()
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await categoryNamed('Mứt & kẹo')).toMatchObject({ parentId: null, depth: 0, slug: 'mut' })
  })

  it('does not offer a category itself or one below it as its place', async () => {
    const parent = (await shop.api('POST', CATEGORIES, { name: 'Cha' })).body.data
    await shop.api('POST', CATEGORIES, { name: 'Con của cha', parentId: parent._id })
    const page = await shop.open('/products/categories')
    await page.getByRole('button', { name: 'Sửa Cha', exact: true }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Thuộc danh mục' }).click()
    await page.getByRole('option').first().waitFor()
    await expect.poll(() => page.getByRole('option', { name: 'Cha', exact: true }).count()).toBe(0)
    await expect.poll(() => page.getByRole('option', { name: 'Con của cha' }).count()).toBe(0)
  })

  it('deletes one after a question, and says why one with products stays', async () => {
    const empty = (await shop.api('POST', CATEGORIES, { name: 'Sắp bỏ' })).body.data
    const page = await shop.open('/products/categories')
    await page.getByRole('button', { name: 'Xóa Sắp bỏ' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa', exact: true }).click()
    await page.getByText('Đã xóa danh mục').waitFor()
    expect((await shop.api('GET', `${CATEGORIES}/${empty._id}`)).status).toBe(404)

    const { body } = await shop.api('GET', `${CATEGORIES}?limit=500`)
    const full = body.data.categories.find((one: { productCount: number }) => one.productCount > 0)
    await page.getByRole('button', { name: `Xóa ${full.name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa', exact: true }).click()
    await page.getByText(/Danh mục còn sản phẩm/).waitFor()
    expect(await categoryNamed(full.name)).toEqual(full)
  })

  it('is picked in the product editor, and its count leads to its products', async () => {
    const made = (await shop.api('POST', CATEGORIES, { name: 'Hàng mới về' })).body.data
    const product = (await shop.api('GET', '/api/external/v1/products?search=So%20tay')).body.data.products[0]
    const page = await shop.open(`/products/${product._id}`)
    await page.getByRole('combobox', { name: 'Danh mục' }).click()
    await page.getByRole('option', { name: 'Hàng mới về' }).click()
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText('Đã lưu sản phẩm').waitFor()
    expect(await categoryNamed('Hàng mới về')).toMatchObject({ _id: made._id, productCount: 1 })
    await page.goto('/products/categories')
    await page
      .getByRole('row', { name: /Hàng mới về/ })
      .getByRole('link', { name: '1' })
      .click()
    await page.getByRole('link', { name: product.name }).waitFor()
    await page.getByText('Tổng 1', { exact: true }).waitFor()
  })

  it('shows a viewer the tree and offers nothing to change', async () => {
    const page = await shop.open('/products/categories', { as: await shop.invite('viewer') })
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Thêm|Sửa|Xóa/ }).count()).toBe(0)
  })
})
