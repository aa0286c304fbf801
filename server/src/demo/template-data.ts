import type { TemplateDocument } from '../platform/types.ts'
import { OA_ID } from './data.ts'

export type Review = 'none' | 'waiting' | 'approved' | 'rejected' | 'disabled'
export type DemoTemplate = { document: TemplateDocument; review: Review; rejectReason?: string }

/** The addresses are set after the pictures are drawn; see `withLogo` in templates.ts. */
const LOGO = { imageType: 'logo', logoLight: '', logoDark: '' } as const

export const CUSTOMER = {
  key: 'customer_name',
  label: 'Tên khách hàng',
  techSetting: '1',
  maxLength: 30,
  sampleValue: 'Nguyễn Thị Ánh',
}
export const ORDER = {
  key: 'order_code',
  label: 'Mã đơn hàng',
  techSetting: '4',
  maxLength: 30,
  sampleValue: 'DH1024',
}
export const TOTAL = {
  key: 'total_amount',
  label: 'Tổng tiền',
  techSetting: '14',
  maxLength: 12,
  sampleValue: '1250000',
}
const OTP = { key: 'otp', label: 'Mã xác thực', techSetting: '12', maxLength: 10, sampleValue: '493027' }
const VOUCHER = {
  key: 'voucher_code',
  label: 'Mã ưu đãi',
  techSetting: '5',
  maxLength: 30,
  sampleValue: 'MOC50K',
}

const offer = {
  title: 'Tặng 50.000đ',
  code: '<voucher_code>',
  condition: 'Đơn từ 500.000đ',
  expiryDate: '31/12/2027',
}

export const TEMPLATES: DemoTemplate[] = [
  {
    review: 'approved',
    document: {
      oaId: OA_ID,
      name: 'Xác nhận đơn hàng',
      description: 'Gửi khi đơn hàng được xác nhận',
      title: 'Đơn hàng <order_code> đã được xác nhận',
      tag: '1',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c001',
          type: 'paragraph',
          value: 'Cảm ơn <customer_name> đã mua hàng tại Tiệm Nhà Mộc.',
        },
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c002',
          type: 'table',
          rows: [
            { label: 'Mã đơn', key: '<order_code>', rowType: 0 },
            { label: 'Tổng tiền', key: '<total_amount>', rowType: 1 },
          ],
        },
      ],
      buttons: [{ label: 'Gọi cho tiệm', type: '2', value: '02438250000' }],
      params: [CUSTOMER, ORDER, TOTAL],
      isCustomParams: true,
      note: 'Thông báo cho khách sau khi đặt hàng',
    },
  },
  {
    review: 'approved',
    document: {
      oaId: OA_ID,
      name: 'Mã xác thực đăng nhập',
      title: 'Mã xác thực của bạn',
      tag: '1',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c003',
          type: 'paragraph',
          value: 'Mã của bạn là <otp>, có hiệu lực trong 5 phút.',
        },
      ],
      buttons: [],
      params: [OTP],
      isCustomParams: true,
      note: 'Đăng nhập thành viên',
    },
  },
  {
    review: 'waiting',
    document: {
      oaId: OA_ID,
      name: 'Tặng mã sau khi mua',
      title: 'Quà cảm ơn <customer_name>',
      tag: '3',
      templateType: 'voucher',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c004',
          type: 'paragraph',
          value: 'Tiệm gửi tặng bạn một mã cho lần mua tới.',
        },
        { id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c005', type: 'voucher', voucher: offer },
      ],
      buttons: [{ label: 'Xem sản phẩm', type: '7', value: 'https://nhamoc.example' }],
      params: [CUSTOMER, VOUCHER],
      voucher: offer,
      isCustomParams: true,
      note: 'Gửi sau khi đơn hoàn tất',
    },
  },
  {
    review: 'rejected',
    rejectReason:
      'Nội dung quảng cáo không được dùng với tag 1;Cần nút bấm thay cho đường dẫn trong nội dung',
    document: {
      oaId: OA_ID,
      name: 'Giảm giá cuối tuần',
      title: 'Giảm giá 20% cuối tuần này',
      tag: '1',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c006',
          type: 'paragraph',
          value: '<customer_name> ơi, xem ngay tại https://nhamoc.example nhé.',
        },
      ],
      buttons: [],
      params: [CUSTOMER],
      isCustomParams: true,
    },
  },
  {
    review: 'disabled',
    document: {
      oaId: OA_ID,
      name: 'Nhắc lịch hẹn thử đồ',
      title: 'Lịch hẹn của <customer_name>',
      tag: '2',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c007',
          type: 'paragraph',
          value: 'Tiệm chờ bạn đến thử đồ như đã hẹn.',
        },
      ],
      buttons: [],
      params: [CUSTOMER],
      isCustomParams: true,
      note: 'Nhắc lịch',
    },
  },
  {
    review: 'none',
    document: {
      oaId: OA_ID,
      name: 'Mời đánh giá đơn hàng',
      title: 'Bạn hài lòng với đơn <order_code> chứ?',
      tag: '2',
      templateType: 'rating',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c008',
          type: 'paragraph',
          value: 'Ý kiến của bạn giúp tiệm làm tốt hơn mỗi ngày.',
        },
        { id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c009', type: 'rating', rating: { items: ratingItems() } },
      ],
      buttons: [],
      params: [ORDER],
      rating: { items: ratingItems() },
      isCustomParams: true,
    },
  },
]

function ratingItems() {
  return [
    {
      star: 5,
      title: 'Rất hài lòng',
      question: 'Bạn thích điều gì nhất?',
      answers: ['Chất lượng', 'Đóng gói'],
      thanks: 'Cảm ơn bạn!',
      description: '',
    },
    {
      star: 1,
      title: 'Chưa hài lòng',
      question: 'Tiệm cần sửa điều gì?',
      answers: ['Giao chậm', 'Sai màu'],
      thanks: 'Tiệm xin lỗi và sẽ gọi lại.',
      description: '',
    },
  ]
}
