import type { TechSetting } from '../editor/params.ts'

type Named = [label: string, sampleValue: string]

/**
 * The parameters of the starters: their data type, and their label and sample in each language. An amount has its unit in its value,
 * as the values of an audience and of an order have it.
 */
export const STARTER_PARAMS: Record<string, { techSetting: TechSetting; vi: Named; en: Named }> = {
  customer_name: {
    techSetting: '1',
    vi: ['Tên khách hàng', 'Nguyễn Thị Ánh'],
    en: ['Customer name', 'Nguyen Thi Anh'],
  },
  customer_address: {
    techSetting: '3',
    vi: ['Địa chỉ nhận hàng', '12 Lê Lợi, Quận 1, TP. Hồ Chí Minh'],
    en: ['Delivery address', '12 Le Loi, District 1, Ho Chi Minh City'],
  },
  order_code: { techSetting: '4', vi: ['Mã đơn hàng', 'DH1024'], en: ['Order code', 'DH1024'] },
  order_date: { techSetting: '11', vi: ['Ngày đặt hàng', '21/11/2026'], en: ['Order date', '21/11/2026'] },
  total_amount: { techSetting: '14', vi: ['Tổng tiền', '1.250.000đ'], en: ['Total', '1.250.000đ'] },
  paid_amount: {
    techSetting: '14',
    vi: ['Số tiền đã nhận', '500.000đ'],
    en: ['Amount received', '500.000đ'],
  },
  due_amount: {
    techSetting: '14',
    vi: ['Số tiền còn phải trả', '750.000đ'],
    en: ['Amount still to pay', '750.000đ'],
  },
  due_date: { techSetting: '11', vi: ['Hạn thanh toán', '30/11/2026'], en: ['Due date', '30/11/2026'] },
  transfer_note: {
    techSetting: '15',
    vi: ['Nội dung chuyển khoản', 'Nguyen Thi Anh tra no'],
    en: ['Transfer content', 'Nguyen Thi Anh pays'],
  },
  delivery_date: {
    techSetting: '11',
    vi: ['Ngày giao dự kiến', '23/11/2026'],
    en: ['Expected delivery', '23/11/2026'],
  },
  collect_until: { techSetting: '11', vi: ['Giữ hàng đến', '28/11/2026'], en: ['Kept until', '28/11/2026'] },
  shop_address: {
    techSetting: '3',
    vi: ['Địa chỉ cửa hàng', '45 Hàng Bông, Hoàn Kiếm, Hà Nội'],
    en: ['Shop address', '45 Hang Bong, Hoan Kiem, Hanoi'],
  },
  shop_contact: {
    techSetting: '7',
    vi: ['Liên hệ cửa hàng', '024 3825 0000'],
    en: ['Shop contact', '024 3825 0000'],
  },
  link: {
    techSetting: '13',
    vi: ['Đường dẫn theo dõi', 'https://shop.example/don/DH1024'],
    en: ['Tracking address', 'https://shop.example/orders/DH1024'],
  },
  otp: { techSetting: '12', vi: ['Mã xác thực', '493027'], en: ['One-time password', '493027'] },
  product_name: {
    techSetting: '9',
    vi: ['Dịch vụ', 'Cắt và gội đầu'],
    en: ['Service', 'Haircut and wash'],
  },
  appointment_time: {
    techSetting: '11',
    vi: ['Giờ hẹn', '09:30 24/11/2026'],
    en: ['Appointment', '09:30 24/11/2026'],
  },
  points_added: { techSetting: '10', vi: ['Điểm vừa cộng', '120'], en: ['Points added', '120'] },
  points_total: { techSetting: '10', vi: ['Tổng điểm', '860'], en: ['Total points', '860'] },
  voucher_code: { techSetting: '5', vi: ['Mã ưu đãi', 'SINHNHAT50'], en: ['Voucher code', 'BIRTHDAY50'] },
  expiry_date: { techSetting: '11', vi: ['Hạn dùng', '31/12/2026'], en: ['Valid until', '31/12/2026'] },
}
