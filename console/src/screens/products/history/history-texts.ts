import { catalogue } from '../../../texts/catalogue.ts'

type Who = { type: 'member' | 'key'; name: string }

export const historyTexts = catalogue(
  {
    title: 'Lịch sử thay đổi',
    empty: 'Chưa ghi lại thay đổi nào.',
    more: 'Xem thêm',
    by: ({ type, name }: Who) => (type === 'member' ? name : `Khóa API ${name}`),
    nobody: 'Không ghi lại ai làm',
    kinds: {
      created: 'Tạo sản phẩm',
      updated: 'Sửa',
      retired: 'Xóa sản phẩm',
      skus_added: 'Thêm phiên bản',
      skus_updated: 'Sửa phiên bản',
      skus_removed: 'Bỏ phiên bản',
      wholesale_prices: 'Sửa giá bán sỉ',
      sub_items: 'Sửa món thêm',
    },
    fields: { slug: 'Đường dẫn', sku: 'Mã phiên bản', status: 'Trạng thái' },
    images: (count: number) => `${count} ảnh`,
    imagesChanged: 'đã đổi ảnh hoặc thứ tự',
    textChanged: 'đã sửa',
    none: 'trống',
    others: (count: string) => `và ${count} phiên bản nữa`,
  },
  {
    title: 'History',
    empty: 'No changes recorded yet.',
    more: 'Show more',
    by: ({ type, name }: Who) => (type === 'member' ? name : `API key ${name}`),
    nobody: 'Unknown',
    kinds: {
      created: 'Product created',
      updated: 'Changed',
      retired: 'Product deleted',
      skus_added: 'Variants added',
      skus_updated: 'Variants changed',
      skus_removed: 'Variants removed',
      wholesale_prices: 'Wholesale prices changed',
      sub_items: 'Extras changed',
    },
    fields: { slug: 'Slug', sku: 'Variant code', status: 'Status' },
    images: (count: number) => (count === 1 ? '1 image' : `${count} images`),
    imagesChanged: 'images or their order changed',
    textChanged: 'changed',
    none: 'none',
    others: (count: string) => `and ${count} more variants`,
  },
)
