import type { StarterId, StarterText } from './starter-text.ts'

/** The starters in Vietnamese. */
export const STARTERS_VI: Record<StarterId, StarterText> = {
  orderConfirmed: {
    name: 'Xác nhận đơn hàng',
    note: 'Gửi ngay khi cửa hàng xác nhận đơn, cho khách đã đặt hàng.',
    title: 'Đơn hàng <order_code> đã được xác nhận',
    blocks: [
      'Chào <customer_name>, cảm ơn bạn đã đặt hàng. Cửa hàng đã nhận đơn và đang chuẩn bị hàng cho bạn.',
      {
        rows: [
          ['Mã đơn', '<order_code>'],
          ['Ngày đặt', '<order_date>'],
          ['Tổng tiền', '<total_amount>'],
          ['Giao đến', '<customer_address>'],
        ],
      },
      'Nếu thông tin chưa đúng, bạn vui lòng báo lại qua <shop_contact>.',
    ],
    buttons: [{ label: 'Liên hệ cửa hàng', type: '3', value: '' }],
  },
  onItsWay: {
    name: 'Đơn hàng đang giao',
    note: 'Gửi khi đơn được giao cho bên vận chuyển, cho người nhận hàng.',
    title: 'Đơn hàng <order_code> đang trên đường giao',
    blocks: [
      'Chào <customer_name>, đơn hàng của bạn đã được giao cho bên vận chuyển. Bạn vui lòng để ý điện thoại để nhận hàng.',
      {
        rows: [
          ['Mã đơn', '<order_code>'],
          ['Dự kiến giao', '<delivery_date>'],
          ['Giao đến', '<customer_address>'],
          ['Thu khi giao', '<due_amount>'],
        ],
      },
    ],
    buttons: [{ label: 'Theo dõi đơn hàng', type: '7', value: '<link>' }],
  },
  readyToCollect: {
    name: 'Hàng đã sẵn sàng để lấy',
    note: 'Gửi khi hàng đã chuẩn bị xong, cho khách chọn đến cửa hàng lấy.',
    title: 'Đơn hàng <order_code> đã sẵn sàng',
    blocks: [
      'Chào <customer_name>, hàng của bạn đã sẵn sàng. Mời bạn đến cửa hàng lấy và đọc mã đơn cho nhân viên.',
      {
        rows: [
          ['Mã đơn', '<order_code>'],
          ['Lấy hàng tại', '<shop_address>'],
          ['Giữ hàng đến', '<collect_until>'],
          ['Còn phải trả', '<due_amount>'],
        ],
      },
    ],
    buttons: [{ label: 'Liên hệ cửa hàng', type: '3', value: '' }],
  },
  paymentReminder: {
    name: 'Nhắc thanh toán công nợ',
    note: 'Gửi trước hạn thanh toán, cho khách còn nợ cửa hàng. Số tiền là tổng nợ của mọi đơn hàng.',
    title: 'Khoản còn phải trả của bạn sắp đến hạn',
    blocks: [
      'Chào <customer_name>, bạn còn một khoản chưa thanh toán với cửa hàng. Bạn vui lòng thanh toán trước hạn dưới đây.',
      {
        rows: [
          ['Còn phải trả', '<due_amount>'],
          ['Hạn thanh toán', '<due_date>'],
          ['Nội dung chuyển khoản', '<transfer_note>'],
        ],
      },
      'Nếu bạn đã thanh toán, xin bỏ qua tin này. Cần trao đổi thêm, bạn liên hệ <shop_contact>.',
    ],
  },
  paymentReceived: {
    name: 'Đã nhận thanh toán',
    note: 'Gửi khi cửa hàng nhận được tiền của một đơn, cho khách đã trả tiền.',
    title: 'Đã nhận thanh toán đơn hàng <order_code>',
    blocks: [
      'Chào <customer_name>, cửa hàng đã nhận được khoản thanh toán của bạn. Cảm ơn bạn.',
      {
        rows: [
          ['Mã đơn', '<order_code>'],
          ['Đã nhận', '<paid_amount>'],
          ['Còn phải trả', '<due_amount>'],
        ],
      },
    ],
    buttons: [{ label: 'Liên hệ cửa hàng', type: '3', value: '' }],
  },
  oneTimePassword: {
    name: 'Mã xác thực một lần',
    note: 'Gửi khi khách đăng nhập hoặc xác nhận giao dịch, cho chính người yêu cầu mã.',
    title: 'Mã xác thực của bạn',
    blocks: [
      'Mã xác thực của bạn là <otp>. Mã có hiệu lực trong 5 phút. Không đưa mã này cho bất kỳ ai, kể cả nhân viên cửa hàng.',
      'Nếu bạn không yêu cầu mã, xin bỏ qua tin này.',
    ],
  },
  appointment: {
    name: 'Nhắc lịch hẹn',
    note: 'Gửi một ngày trước giờ hẹn, cho khách đã đặt lịch.',
    title: 'Nhắc bạn lịch hẹn ngày mai',
    blocks: [
      'Chào <customer_name>, bạn có lịch hẹn với cửa hàng. Mời bạn đến sớm vài phút để được phục vụ đúng giờ.',
      {
        rows: [
          ['Dịch vụ', '<product_name>'],
          ['Giờ hẹn', '<appointment_time>'],
          ['Địa chỉ', '<shop_address>'],
        ],
      },
      'Nếu cần đổi giờ hoặc hủy hẹn, bạn vui lòng báo trước qua <shop_contact>.',
    ],
    buttons: [{ label: 'Liên hệ cửa hàng', type: '3', value: '' }],
  },
  rating: {
    name: 'Cảm ơn và mời đánh giá',
    note: 'Gửi sau khi khách đã nhận hàng, để hỏi ý kiến về đơn hàng đó.',
    title: 'Cảm ơn bạn đã mua hàng',
    blocks: [
      'Chào <customer_name>, bạn đã nhận đơn hàng <order_code>. Bạn thấy thế nào? Mỗi ý kiến đều giúp cửa hàng phục vụ tốt hơn.',
      {
        stars: [
          [
            'Rất hài lòng',
            'Bạn thích điều gì nhất?',
            ['Chất lượng hàng', 'Giao hàng nhanh', 'Nhân viên tận tình'],
            'Cảm ơn bạn, hẹn gặp lại!',
            'Mọi thứ đều tốt.',
          ],
          [
            'Hài lòng',
            'Điều gì có thể tốt hơn nữa?',
            ['Chất lượng hàng', 'Đóng gói', 'Giao hàng'],
            'Cảm ơn ý kiến của bạn.',
            'Tốt, còn vài điểm nhỏ.',
          ],
          [
            'Bình thường',
            'Cửa hàng nên cải thiện điều gì?',
            ['Chất lượng hàng', 'Đóng gói', 'Giao hàng', 'Phục vụ'],
            'Cảm ơn bạn, cửa hàng sẽ cải thiện.',
            'Tạm được, chưa có gì nổi bật.',
          ],
          [
            'Chưa hài lòng',
            'Điều gì làm bạn chưa hài lòng?',
            ['Hàng không như mô tả', 'Giao hàng chậm', 'Phục vụ chưa tốt'],
            'Cửa hàng xin lỗi bạn và sẽ khắc phục.',
            'Có điều chưa đúng như mong đợi.',
          ],
          [
            'Rất không hài lòng',
            'Chuyện gì đã xảy ra với đơn hàng?',
            ['Hàng bị lỗi', 'Giao sai hàng', 'Giao hàng chậm', 'Phục vụ chưa tốt'],
            'Cửa hàng xin lỗi và sẽ liên hệ với bạn.',
            'Đơn hàng có sự cố.',
          ],
        ],
      },
    ],
  },
  points: {
    name: 'Cộng điểm tích lũy',
    note: 'Gửi khi khách được cộng điểm sau một đơn hàng, cho khách thân thiết.',
    title: 'Bạn vừa được cộng <points_added> điểm',
    blocks: [
      'Chào <customer_name>, cảm ơn bạn đã mua hàng. Điểm tích lũy của bạn đã được cập nhật.',
      {
        rows: [
          ['Mã đơn', '<order_code>'],
          ['Điểm vừa cộng', '<points_added>'],
          ['Tổng điểm', '<points_total>'],
        ],
      },
    ],
    buttons: [{ label: 'Xem trang cửa hàng', type: '3', value: '' }],
  },
  birthday: {
    name: 'Tặng mã sinh nhật',
    note: 'Gửi vào ngày sinh nhật, cho khách thân thiết đã đồng ý nhận tin.',
    title: 'Chúc mừng sinh nhật <customer_name>',
    blocks: [
      'Cửa hàng chúc bạn tuổi mới nhiều sức khỏe và niềm vui. Món quà nhỏ dưới đây dành riêng cho bạn.',
      {
        offer: {
          title: 'Giảm 50.000đ mừng sinh nhật',
          condition: 'Đơn từ 300.000đ, dùng một lần',
          expiryDate: '<expiry_date>',
        },
      },
    ],
    buttons: [{ label: 'Xem trang cửa hàng', type: '3', value: '' }],
  },
}
