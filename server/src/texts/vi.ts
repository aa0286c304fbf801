import type { Texts } from './en.ts'

export const vi: Texts = {
  unauthorized: 'Cần khóa API hợp lệ trong header x-api-key, dạng "service-partner <API_KEY>"',
  unexpected: 'Hệ thống gặp lỗi. Khi báo lỗi, hãy gửi kèm x-request-id',
  databaseAway: 'Cơ sở dữ liệu tạm thời không phản hồi. Vui lòng thử lại sau giây lát',
  platformAway:
    'Không kết nối được tới nền tảng nhắn tin; chưa gửi và chưa trừ tiền. Vui lòng thử lại sau giây lát',
  message: {
    RECEIVED: 'Tin nhắn đã được gửi',
    UNKNOWN:
      'Nền tảng nhắn tin không trả lời rõ ràng: tin có thể đã được gửi. Đừng gửi lại, kết quả sẽ được cập nhật sau',
    SENDING: 'Tin nhắn đã được tiếp nhận và đang được gửi',
  },
  notFound: {
    route: 'Không có đường dẫn này',
    shop: 'Không tìm thấy cửa hàng',
    key: 'Không tìm thấy khóa API',
    product: 'Không tìm thấy sản phẩm',
    category: 'Không tìm thấy danh mục',
    customer: 'Không tìm thấy khách hàng',
    order: 'Không tìm thấy đơn hàng',
    news: 'Không tìm thấy bài viết',
    template: 'Không tìm thấy mẫu tin',
    message: 'Không tìm thấy tin nhắn',
  },
  refused: {
    SHOP_MISMATCH: 'shopId không phải là cửa hàng của khóa API',
    ITEM_SKU_TAKEN: 'Mã SKU "{code}" đã thuộc về sản phẩm khác của cửa hàng',
    BARCODE_TAKEN: 'Mã vạch "{code}" đã thuộc về sản phẩm khác của cửa hàng',
    CUSTOMER_PHONE_TAKEN: 'Số điện thoại {phone} đã thuộc về khách hàng khác của cửa hàng',
    TOTAL_MISMATCH: 'total là {total} nhưng giá trị đơn hàng là {price}',
    OUT_OF_STOCK: 'Không đủ tồn kho (cần / còn). {shortages}',
    AMOUNT_TOO_LARGE: 'Số tiền của đơn hàng quá lớn để cộng',
    TEMPLATE_NOT_EDITABLE:
      'Mẫu tin ở trạng thái {status} không sửa được: chỉ sửa được DRAFT và REJECTED. Hãy tạo mẫu mới',
    TEMPLATE_NOT_PUBLISHABLE: 'Mẫu tin ở trạng thái {status} không gửi duyệt được: chỉ DRAFT và REJECTED',
    TEMPLATE_NOT_SENDABLE: 'Mẫu tin ở trạng thái {status} không gửi được: phải là ENABLE',
    OA_NOT_LINKED: 'Official Account {oaId} chưa được liên kết với cửa hàng',
    UID_NOT_PRICED: 'Mẫu tin chưa có giá gửi theo UID (priceUID)',
    PHONE_NOT_PRICED: 'Mẫu tin chưa có giá gửi theo số điện thoại',
    WALLET_TOO_LOW: 'Ví còn {balance} đồng, tin nhắn giá {fee} đồng. Hãy nạp thêm tiền vào ví',
    WALLET_BELOW_ZERO: 'Ví còn {balance} đồng: không thể thay đổi {amount} đồng',
    PLATFORM_REFUSED: 'Nền tảng từ chối tin nhắn: {reason}',
  },
}
