import { pictureBytes } from '../support/images.ts'
import { eventually } from '../support/service.ts'
import type { Call } from './recorder.ts'

export type Catalogue = { productId: string; skuIds: string[]; warehouseId: string }

const size = {
  id: 'size',
  name: 'Cỡ',
  options: [
    { id: 's', value: 'S' },
    { id: 'l', value: 'L' },
  ],
}

/** Products with their categories, prices and stock (E8 to E11), and files of them. */
export async function callCatalogue(call: Call, shopId: string): Promise<Catalogue> {
  const category = (
    await call('createCategory', {
      body: { name: 'Áo len', description: '<p>Len lông cừu</p>', sortOrder: 1 },
    })
  ).data
  await call('getCategory', { params: { id: category._id } })
  await call('updateCategory', {
    params: { id: category._id },
    body: { name: 'Áo len mùa đông', sortOrder: 2 },
  })
  await call('listCategories')
  await call('uploadImage', { body: await pictureBytes('png'), type: 'image/png' })

  const product = (
    await call('createProduct', {
      body: {
        name: 'Áo len cổ tròn',
        price: 350_000,
        originPrice: 420_000,
        description: '<p>Len lông cừu, dệt tay</p>',
        categoryId: category._id,
        vat: 8,
        itemSku: 'AL-1',
        barcode: '8936012345678',
        images: ['https://images.example/ao-len.jpg'],
        variants: [size],
        skus: [
          { name: 'Áo len cổ tròn, S', price: 350_000, sku: 'AL-1-S', variantOptionIds: ['s'] },
          { name: 'Áo len cổ tròn, L', price: 360_000, sku: 'AL-1-L', variantOptionIds: ['l'] },
        ],
      },
    })
  ).data
  const id = product._id
  const shown = await call('getProduct', { params: { id }, query: { select: 'skus,variants,category' } })
  const skuIds: string[] = shown.data.skus.map((sku: { _id: string }) => sku._id)
  await call('updateProduct', {
    params: { id },
    body: { shopId, name: 'Áo len cổ tròn', slug: 'ao-len-co-tron', price: 345_000, status: 'active' },
  })
  await call('replaceWholesalePrices', {
    params: { id },
    body: { wholesalePrices: [{ skuId: skuIds[0], minQuantity: 10, price: 300_000 }] },
  })
  await call('replaceSubItemsGroups', {
    params: { id },
    body: { subItemsGroups: [{ name: 'Gói quà', subItems: [{ name: 'Hộp giấy', price: 20_000 }] }] },
  })
  await call('getProductHistory', { params: { id } })
  await call('listProducts', { query: { search: 'ao len', select: 'skus', limit: 10 } })

  const other = (await call('createProduct', { body: { name: 'Khăn len', price: 120_000, itemSku: 'KL-1' } }))
    .data
  await call('replaceProductVariants', {
    params: { id: other._id },
    body: {
      variants: [size],
      skus: ['s', 'l'].map((option) => ({
        name: `Khăn len, ${option.toUpperCase()}`,
        price: 120_000,
        variantOptionIds: [option],
      })),
    },
  })
  await call('exportProducts')
  await call('retireProduct', { params: { id: other._id } })
  const spare = (await call('createCategory', { body: { name: 'Hàng cũ' } })).data
  await call('deleteCategory', { params: { id: spare._id } })
  await callImports(call)
  const warehouseId = await callInventory(call, skuIds)
  return { productId: id, skuIds, warehouseId }
}

async function callImports(call: Call): Promise<void> {
  const file = 'name,price,itemSku,openingStock\nMũ len,90000,ML-1,4\nTất len,abc,TL-1,\n'
  const query = { mode: 'each-row', fileName: 'hang-moi.csv' }
  const accepted = (await call('importProducts', { body: file, type: 'text/csv', query })).data
  const params = { id: accepted._id }
  await eventually(
    async () => (await call('getProductImport', { params, isLatest: true })).data.finishedAt !== null,
    15_000,
  )
  await call('listProductImports')
  await call('downloadProductImportErrors', { params })
}

async function callInventory(call: Call, skuIds: string[]): Promise<string> {
  const spare = (await call('createWarehouse', { body: { name: 'Kho Hà Đông', address: '12 Quang Trung' } }))
    .data
  await call('updateWarehouse', { params: { id: spare._id }, body: { name: 'Kho Hà Đông (cũ)' } })
  const { warehouses } = (await call('listWarehouses')).data
  await call('deleteWarehouse', { params: { id: spare._id } })
  const main = warehouses.find((one: { isDefault: boolean }) => one.isDefault)
  await call('createInventoryEntry', {
    body: {
      type: 'receive',
      warehouseId: main._id,
      supplier: 'Xưởng may Bình Minh',
      items: skuIds.map((skuId, at) => ({ skuId, quantity: 20, ...(at === 0 && { unitCost: 118_000 }) })),
      note: 'Nhập đầu mùa',
    },
  })
  const counted = { type: 'count', items: [{ skuId: skuIds[0]!, quantity: 19 }] }
  await call('previewInventoryEntry', { body: counted })
  const { entries } = (await call('listInventoryEntries', { query: { type: 'receive' } })).data
  await call('getInventoryEntry', { params: { id: entries[0]._id } })
  await call('listAverageCosts', { query: { ids: skuIds.join(',') } })
  await call('drawBarcodes', { query: { count: 2 } })
  await call('listSuppliers', { query: { search: 'binh minh' } })
  await call('listInventoryMovements', { query: { skuId: skuIds[0]!, limit: 10 } })
  return main._id
}
