import { catalogue } from '../../texts/catalogue.ts'

export const customerTexts = catalogue(
  {
    title: 'Khách hàng',
    add: 'Thêm khách',
    searchHint: 'Tên hoặc số điện thoại',
    fullName: 'Họ tên',
    phone: 'Điện thoại',
    email: 'Email',
    note: 'Ghi chú',
    edit: 'Sửa khách hàng',
    emptyTitle: 'Chưa có khách hàng',
    emptyHint: 'Khách được thêm khi bán hàng tại quầy, hoặc thêm tại đây.',
    saved: 'Đã lưu khách hàng',
  },
  {
    title: 'Customers',
    add: 'Add customer',
    searchHint: 'Name or phone number',
    fullName: 'Full name',
    phone: 'Phone',
    email: 'Email',
    note: 'Note',
    edit: 'Edit customer',
    emptyTitle: 'No customers yet',
    emptyHint: 'Customers are added with sales at the counter, or here.',
    saved: 'Customer saved',
  },
)
