import { describe, expect, it } from 'vitest'
import { fieldName } from '../src/texts/field-name.ts'

describe('a field that the API refuses', () => {
  it.each([
    ['skus.5.barcode', 'Mã vạch của phiên bản 6'],
    ['subItemsGroups.0.subItems.1.name', 'Tên của món 2 của nhóm món thêm 1'],
    ['images.0', 'Hình 1'],
    ['price', 'Giá'],
    ['params.customer_name', 'customer_name'],
  ])('%s is called %s', (path, name) => {
    expect(fieldName(path, 'vi')).toBe(name)
  })

  it.each(['techSetting', 'blocks.0.name', ''])('"%s" has no name of the screens', (path) => {
    expect(fieldName(path, 'vi')).toBeUndefined()
  })
})
