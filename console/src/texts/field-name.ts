import type { Language } from './catalogue.ts'

type Names = Record<string, Record<Language, string>>

/** What the screens call the fields of the API, by the last part of their path. */
const FIELDS: Names = {
  amount: { vi: 'Số tiền', en: 'Amount' },
  address: { vi: 'Địa chỉ', en: 'Address' },
  barcode: { vi: 'Mã vạch', en: 'Barcode' },
  categoryId: { vi: 'Danh mục', en: 'Category' },
  content: { vi: 'Nội dung', en: 'Content' },
  description: { vi: 'Mô tả', en: 'Description' },
  discount: { vi: 'Giảm giá', en: 'Discount' },
  email: { vi: 'Email', en: 'Email' },
  fullName: { vi: 'Họ tên', en: 'Full name' },
  itemSku: { vi: 'Mã sản phẩm', en: 'Product code' },
  logoDark: { vi: 'Logo cho nền tối', en: 'Logo for dark' },
  logoLight: { vi: 'Logo cho nền sáng', en: 'Logo for light' },
  lowBelow: { vi: 'Mức báo', en: 'Threshold' },
  maxSelect: { vi: 'Chọn tối đa', en: 'Choose at most' },
  metaDescription: { vi: 'Mô tả cho công cụ tìm kiếm', en: 'Description for search engines' },
  minQuantity: { vi: 'Số lượng từ', en: 'From quantity' },
  name: { vi: 'Tên', en: 'Name' },
  note: { vi: 'Ghi chú', en: 'Note' },
  options: { vi: 'Các lựa chọn', en: 'Options' },
  originPrice: { vi: 'Giá so sánh', en: 'Compare-at price' },
  paidAmount: { vi: 'Số tiền đã trả', en: 'Amount paid' },
  phone: { vi: 'Điện thoại', en: 'Phone' },
  price: { vi: 'Giá', en: 'Price' },
  quantity: { vi: 'Số lượng', en: 'Quantity' },
  reason: { vi: 'Lý do', en: 'Reason' },
  reasonCancel: { vi: 'Lý do hủy', en: 'Reason' },
  receiverPhone: { vi: 'Số điện thoại', en: 'Phone number' },
  sku: { vi: 'Mã phiên bản', en: 'Variant code' },
  slug: { vi: 'Đường dẫn', en: 'Address' },
  title: { vi: 'Tiêu đề', en: 'Title' },
  url: { vi: 'Địa chỉ', en: 'Address' },
  userUID: { vi: 'UID', en: 'UID' },
  value: { vi: 'Đích', en: 'Target' },
  vat: { vi: 'VAT', en: 'VAT' },
}

/** The same of the lists that a path goes through: `skus.5` is a person's `phiên bản 6`. */
const LISTS: Names = {
  buttons: { vi: 'nút', en: 'button' },
  images: { vi: 'hình', en: 'image' },
  items: { vi: 'dòng', en: 'line' },
  messages: { vi: 'tin', en: 'message' },
  orderItems: { vi: 'dòng hàng', en: 'line' },
  skus: { vi: 'phiên bản', en: 'variant' },
  subItems: { vi: 'món', en: 'extra' },
  subItemsGroups: { vi: 'nhóm món thêm', en: 'group of extras' },
  variants: { vi: 'nhóm lựa chọn', en: 'group of options' },
  wholesalePrices: { vi: 'mức giá sỉ', en: 'wholesale price' },
}

const OF = { vi: 'của', en: 'of' }

/**
 * A field as the screen names it, from its path: `skus.5.barcode` is `Mã vạch của phiên bản 6`. Undefined for one that no
 * screen names.
 */
export function fieldName(path: string, language: Language): string | undefined {
  const parts = path.split('.')
  if (parts.length === 2 && parts[0] === 'params') return parts[1]
  const places = parts.flatMap((part, at) =>
    /^\d+$/.test(part) ? [`${LISTS[parts[at - 1]!]?.[language] ?? ''} ${Number(part) + 1}`] : [],
  )
  const last = parts.at(-1)!
  const names = /^\d+$/.test(last) ? places.reverse() : [FIELDS[last]?.[language], ...places.reverse()]
  if (names.some((name) => name === undefined || name.startsWith(' '))) return undefined
  const whole = names.join(` ${OF[language]} `)
  return whole.charAt(0).toUpperCase() + whole.slice(1)
}
