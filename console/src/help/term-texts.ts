import { catalogue } from '../texts/catalogue.ts'

/**
 * Terms that a shop does not know from elsewhere, each explained in one or two sentences. Used on the help page and
 * beside the terms.
 */
export const termTexts = catalogue(
  {
    officialAccount: {
      name: 'Tài khoản OA',
      text: 'Tài khoản chính thức của cửa hàng trên nền tảng nhắn tin. Tin gửi khách đi dưới tên tài khoản này.',
    },
    template: {
      name: 'Mẫu tin',
      text: 'Nội dung tin soạn sẵn và được nền tảng duyệt trước. Chỉ những phần thay đổi theo từng khách được điền lúc gửi.',
    },
    param: {
      name: 'Tham số',
      text: 'Chỗ trống trong mẫu, viết như <ten_khach>. Mỗi tin điền một giá trị vào đó. Loại của tham số quyết định giá trị được dài bao nhiêu.',
    },
    tag: {
      name: 'Nhóm nội dung',
      text: 'Nền tảng chia mẫu tin thành ba nhóm: giao dịch (tag 1), chăm sóc khách hàng (tag 2) và hậu mãi (tag 3). Khách đã từ chối thì không nhận tin nhóm 2 và 3 nữa, tin giao dịch vẫn nhận.',
    },
    quality: {
      name: 'Chất lượng',
      text: 'Nền tảng đánh giá từng mẫu cao, trung bình hay thấp theo phản hồi của khách. Mẫu bị đánh giá thấp có thể bị giảm hạn mức hoặc bị tắt.',
    },
    quota: {
      name: 'Hạn mức',
      text: 'Số tin nền tảng nhận mỗi ngày, của cả tài khoản OA hay của một mẫu. Gửi hàng loạt vượt hạn mức thì phần còn lại chờ đến 0 giờ hôm sau, phí vẫn tạm giữ.',
    },
    uid: {
      name: 'UID',
      text: 'Mã của một người trên nền tảng, dùng thay số điện thoại. Gửi theo UID có giá riêng.',
    },
    audience: {
      name: 'Nhóm khách',
      text: 'Khách được chọn theo những gì họ đã mua, ngày sinh hay công nợ. Chỉ điều kiện được lưu; mỗi lần gửi, khách được chọn lại theo lúc đó.',
    },
    unknownOutcome: {
      name: 'Chưa rõ kết quả',
      text: 'Nền tảng không trả lời rõ tin đã được nhận hay chưa. Phí vẫn tạm giữ cho đến khi biết; không gửi lại ngay để khách không nhận hai lần.',
    },
    held: {
      name: 'Tạm giữ',
      text: 'Phí của những tin đang gửi. Tin tới nơi thì phí được trừ; không tới thì phí về lại số dư.',
    },
    ledger: {
      name: 'Lịch sử ví',
      text: 'Mọi lần tiền vào hay ra khỏi ví, kể cả tạm giữ và hoàn phí. Không dòng nào bị sửa hay xóa; số dư là tổng của chúng.',
    },
    smsFallback: {
      name: 'SMS thay thế',
      text: 'Khi tin không tới được, nội dung này đi bằng SMS. Chỉ gửi khi chắc chắn tin kia không tới. Mỗi tin chỉ tính phí của cách đã đưa được tới khách.',
    },
    apiKey: {
      name: 'Khóa API',
      text: 'Mật khẩu để phần mềm khác, như phần mềm kế toán hay máy bán hàng, làm việc với cửa hàng. Chỉ hiện một lần; lộ thì thay ngay.',
    },
    webhook: {
      name: 'Webhook',
      text: 'Địa chỉ của phần mềm khác mà Shopbell báo ngay khi có đơn mới, tồn kho đổi hay tin tới nơi. Mỗi lần báo có chữ ký để bên nhận biết là thật.',
    },
    variant: {
      name: 'Phiên bản',
      text: 'Một lựa chọn cụ thể của sản phẩm, như Đỏ cỡ M. Mỗi phiên bản có giá, mã, mã vạch và tồn kho riêng.',
    },
    wholesale: {
      name: 'Giá bán sỉ',
      text: 'Giá một chiếc khi mua từ một số lượng trở lên. Giá này để tham khảo; đơn hàng không tự áp dụng.',
    },
    averageCost: {
      name: 'Giá vốn',
      text: 'Giá mua trung bình của hàng còn trong kho. Mỗi lần nhập với giá khác, giá vốn được tính lại. Giá lúc bán được giữ theo đơn.',
    },
    profit: {
      name: 'Lợi nhuận',
      text: 'Tiền bán hàng trừ giá vốn của hàng đã bán. Hàng chưa có giá nhập không được tính vào.',
    },
    debt: {
      name: 'Công nợ',
      text: 'Số tiền khách còn thiếu của các đơn chưa trả đủ. Khi khách trả, đơn cũ nhất được trừ trước.',
    },
    drawer: {
      name: 'Tiền mặt phải có',
      text: 'Tiền đầu ca, cộng tiền mặt đã thu và bỏ vào, trừ tiền đã lấy ra. Cuối ca đếm lại để thấy thừa hay thiếu.',
    },
    stockCount: {
      name: 'Kiểm kho',
      text: 'Đếm hàng thật trên kệ. Chênh lệch với số trong máy được ghi thành một dòng của lịch sử kho.',
    },
    role: {
      name: 'Vai trò',
      text: 'Chủ cửa hàng làm được mọi việc, kể cả khóa và thành viên. Nhân viên bán hàng và sửa dữ liệu. Chỉ xem thì không đổi gì.',
    },
  },
  {
    officialAccount: {
      name: 'Official account',
      text: 'The shop’s account on the messaging platform. Messages to customers are sent in its name.',
    },
    template: {
      name: 'Template',
      text: 'A message written in advance and approved by the platform. Only the parts that differ for each customer are filled in when it is sent.',
    },
    param: {
      name: 'Parameter',
      text: 'A place in a template, written like <customer_name>, that each message fills with a value. Its type decides how long the value may be.',
    },
    tag: {
      name: 'Content level',
      text: 'The platform has three levels of templates: transaction (tag 1), customer care (tag 2) and post-sale (tag 3). Customers who opted out no longer get those of levels 2 and 3; transactions still reach them.',
    },
    quality: {
      name: 'Quality',
      text: 'How the platform rates a template by its recipients’ feedback: high, medium or low. It may lower the quota of a template with a low rating, or disable it.',
    },
    quota: {
      name: 'Quota',
      text: 'How many messages the platform takes a day, of the official account or of a template. The messages of a batch beyond it wait until the next midnight, with their fees held.',
    },
    uid: {
      name: 'UID',
      text: 'A person’s id on the platform, instead of a phone number. Messages by UID have a price of their own.',
    },
    audience: {
      name: 'Audience',
      text: 'Customers chosen by what they bought, their birthday or debt. Only the conditions are kept; the customers are looked up each time it is used.',
    },
    unknownOutcome: {
      name: 'Outcome unknown',
      text: 'The platform did not say clearly whether it took the message. The fee stays held until that is known, and the message is not resent, so that the customer does not get it twice.',
    },
    held: {
      name: 'Held',
      text: 'Fees of messages that are being sent. A message that arrives is charged; if it does not arrive, the fee returns to the balance.',
    },
    ledger: {
      name: 'Ledger',
      text: 'Every movement of money in the wallet, including holds and releases. No row is ever changed or deleted; the balance is their sum.',
    },
    smsFallback: {
      name: 'SMS fallback',
      text: 'When a message cannot be delivered, this text is sent as SMS. It is sent only if the message definitely did not arrive, and only the one that reached the customer is charged.',
    },
    apiKey: {
      name: 'API key',
      text: 'The password with which other software, such as an ERP or a till, works with the shop. It is shown once; if it leaks, replace it.',
    },
    webhook: {
      name: 'Webhook',
      text: 'An address of other software that is notified immediately of a new order, a change of stock or a delivered message. Each request is signed, so that the receiver knows it is genuine.',
    },
    variant: {
      name: 'Variant',
      text: 'One choice of a product, such as red in size M, with its own price, code, barcode and stock.',
    },
    wholesale: {
      name: 'Wholesale price',
      text: 'The price of a piece from a certain quantity up. It is shown for reference; orders do not apply it automatically.',
    },
    averageCost: {
      name: 'Average cost',
      text: 'What the pieces in stock cost on average. Goods received at a different cost change it. An order keeps the cost at the time of its sale.',
    },
    profit: {
      name: 'Profit',
      text: 'Sales less the cost of the goods that were sold. Goods without a cost are not counted.',
    },
    debt: {
      name: 'Debt',
      text: 'What a customer still owes for orders that are not fully paid. A payment goes to the oldest order first.',
    },
    drawer: {
      name: 'Expected cash',
      text: 'Opening cash plus cash taken and put in, less cash taken out. Counting at the end of the shift shows whether cash is missing or over.',
    },
    stockCount: {
      name: 'Stock count',
      text: 'Counting what is actually on the shelf. The difference is booked as a stock movement.',
    },
    role: {
      name: 'Role',
      text: 'An owner can do everything, including keys and members. Staff sell and change data. A viewer changes nothing.',
    },
  },
)

export type Term = keyof (typeof termTexts)['vi']
