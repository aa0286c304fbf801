import { catalogue } from '../../../texts/catalogue.ts'

export const subItemTexts = catalogue(
  {
    title: 'Món thêm',
    hint: 'Khách chọn thêm khi mua, ví dụ nhóm “Topping” có Trân châu và Thạch, mỗi món một giá.',
    none: 'Chưa có món thêm.',
    addGroup: 'Thêm nhóm món',
    group: 'Tên nhóm món',
    maxSelect: 'Chọn tối đa',
    isRequired: 'Bắt buộc chọn',
    removeGroup: (name: string) => `Bỏ nhóm món ${name}`,
    item: 'Tên món',
    price: 'Giá thêm',
    addItem: 'Thêm món',
    removeItem: (name: string) => `Bỏ món ${name}`,
  },
  {
    title: 'Extras',
    hint: 'Optional extras, such as a “Topping” group with pearls and jelly, each with a price.',
    none: 'No extras yet.',
    addGroup: 'Add extras group',
    group: 'Group name',
    maxSelect: 'Maximum choices',
    isRequired: 'Required',
    removeGroup: (name: string) => `Remove extras ${name}`,
    item: 'Extra',
    price: 'Added price',
    addItem: 'Add extra',
    removeItem: (name: string) => `Remove ${name}`,
  },
)
