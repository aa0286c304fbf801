import { catalogue } from '../../texts/catalogue.ts'

export const printTexts = catalogue(
  {
    address: 'Địa chỉ',
    phone: 'Số điện thoại',
    taxCode: 'Mã số thuế',
    note: 'Lời cuối hóa đơn',
    noteHint: 'Ví dụ: đổi hàng trong 7 ngày. Để trống thì in lời cảm ơn.',
    bank: 'Ngân hàng nhận chuyển khoản',
    bankHint: 'Quầy và hóa đơn hiện mã VietQR của tài khoản này.',
    number: 'Số tài khoản',
    holder: 'Tên chủ tài khoản',
    saved: 'Đã lưu',
    preview: 'Bản in',
    previewHint: 'Hóa đơn mẫu, theo những gì đang nhập. Quầy in theo bản đã lưu.',
    sampleCashier: 'Minh Thư',
  },
  {
    address: 'Address',
    phone: 'Phone',
    taxCode: 'Tax code',
    note: 'Last lines of the receipt',
    noteHint: 'For example: exchanges within 7 days. If left blank, the receipt says thank you.',
    bank: 'Bank for transfers',
    bankHint: 'The counter and receipts show the VietQR code of this account.',
    number: 'Account number',
    holder: 'Account holder',
    saved: 'Saved',
    preview: 'As printed',
    previewHint: 'A sample receipt with what you have typed. The counter prints the saved settings.',
    sampleCashier: 'Minh Thu',
  },
)
