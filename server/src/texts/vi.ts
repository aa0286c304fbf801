import type { Texts } from './en.ts'

export const vi: Texts = {
  unauthorized: {
    apiKey: 'Cần khóa API hợp lệ trong header x-api-key, dạng "service-partner <API_KEY>"',
    operatorToken: 'Cần token của người vận hành: "Authorization: Bearer <operator token>"',
    signature: 'Header x-zevent-signature không phải là chữ ký cho sự kiện của OA này',
  },
  unexpected: 'Hệ thống gặp lỗi. Khi báo lỗi, hãy gửi kèm x-request-id',
  databaseAway: 'Cơ sở dữ liệu tạm thời không phản hồi. Vui lòng thử lại sau giây lát',
  platformAway:
    'Không kết nối được tới nền tảng nhắn tin; chưa gửi và chưa trừ tiền. Vui lòng thử lại sau giây lát',
  messageCancelled: 'Lô tin đã bị hủy trước khi gửi tin này; không tính phí',
  messageReleased:
    'Không xác định được tin nhắn có đến nơi hay không và không có biên nhận trong thời hạn: phí đã được hoàn lại',
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
    batch: 'Không tìm thấy lô tin',
  },
  refused: {
    MALFORMED_PATH: 'Đường dẫn không phải là URL hợp lệ: dấu % phải bắt đầu một mã phần trăm UTF-8',
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
    TEMPLATE_NOT_DELETABLE: 'Mẫu tin ở trạng thái {status} không xóa được: chỉ xóa được DRAFT và REJECTED',
    TEMPLATE_NOT_SENDABLE: 'Mẫu tin ở trạng thái {status} không gửi được: phải là ENABLE',
    OA_NOT_LINKED: 'Official Account {oaId} chưa được liên kết với cửa hàng',
    UID_NOT_PRICED: 'Mẫu tin chưa có giá gửi theo UID (priceUID)',
    PHONE_NOT_PRICED: 'Mẫu tin chưa có giá gửi theo số điện thoại',
    WALLET_TOO_LOW: 'Ví còn {balance} đồng, tin nhắn giá {fee} đồng. Hãy nạp thêm tiền vào ví',
    WALLET_BELOW_ZERO: 'Ví còn {balance} đồng: không thể thay đổi {amount} đồng',
    PLATFORM_REFUSED: 'Nền tảng từ chối tin nhắn: {reason}',
    RECIPIENT_LIMIT:
      'Người nhận này đã được gửi đủ số tin loại này cho phép. Vui lòng thử lại sau {retryAfterSeconds} giây',
    IDEMPOTENCY_KEY_REUSED:
      'Idempotency-Key này đã dùng cho một yêu cầu khác (phương thức, đường dẫn hoặc nội dung). Hãy dùng khóa mới',
    IDEMPOTENCY_KEY_IN_PROGRESS:
      'Yêu cầu với Idempotency-Key này đang được xử lý. Vui lòng thử lại sau {retryAfterSeconds} giây để nhận kết quả',
  },
}
