import { catalogue } from '../../texts/catalogue.ts'

/** The help page. Each line of `steps` is one step. */
export const helpTexts = catalogue(
  {
    title: 'Trợ giúp',
    search: 'Tìm trong trợ giúp',
    terms: 'Từ khó',
    open: (screen: string) => `Mở ${screen}`,
    topics: {
      firstDay: {
        title: 'Ngày đầu tiên',
        steps: `Thêm sản phẩm đầu tiên, hoặc nhập cả danh sách từ tệp trong Sản phẩm, Nhập từ tệp.
Ghi hàng đang có trong tệp đó hoặc bằng một phiếu Nhập hàng, kèm giá nhập để tính được lợi nhuận.
Kết nối tài khoản OA trong Cài đặt, Tài khoản OA.
Soạn một mẫu tin và gửi duyệt; nền tảng thường trả lời trong một đến hai ngày.
Nhờ người vận hành nạp ví để trả phí tin.
Bán đơn đầu tiên ở Bán tại quầy. Danh sách việc ở Tổng quan tự đánh dấu việc đã xong.`,
      },
      counter: {
        title: 'Bán tại quầy',
        steps: `Mở ca và đếm tiền mặt đầu ca.
Quét mã vạch, gõ vài chữ của tên, hoặc chạm vào hình sản phẩm. Trên điện thoại có thể quét bằng máy ảnh.
Đổi số lượng, giá hay giảm giá ngay trên dòng.
Chọn khách nếu muốn ghi nợ hoặc gửi tin.
Nhận tiền, bấm Bán, in hóa đơn.
Mất mạng vẫn bán được: đơn nằm ở máy này và tự gửi khi có mạng, mỗi đơn một lần.`,
      },
      correction: {
        title: 'Sửa một đơn đã bán',
        steps: `Mở đơn trong Đơn hàng.
Ghi thêm tiền khách trả bằng nút Ghi nhận thanh toán.
Hủy đơn nếu bán nhầm: hàng trở lại kho, và đơn vẫn còn trong danh sách.`,
      },
      stock: {
        title: 'Giữ kho đúng',
        steps: `Hàng về: lập phiếu Nhập hàng với giá nhập.
Đếm kệ: lập phiếu Kiểm kho; chênh lệch được ghi vào lịch sử.
Chuyển giữa hai kho: lập phiếu Chuyển kho. Kho mới thêm trong Cài đặt, phần Kho.
Muốn biết vì sao một con số như vậy, mở sản phẩm và xem lịch sử kho.`,
      },
      message: {
        title: 'Gửi tin cho khách',
        steps: `Chọn một mẫu đã được duyệt.
Gửi một tin, hoặc Gửi hàng loạt từ một tệp Excel hay CSV.
Mọi dòng của tệp được kiểm tra trước: số sai, trùng, khách đã từ chối, và tổng phí. Chưa đồng nào bị giữ cho đến khi bạn xác nhận.
Theo dõi kết quả trong Gửi và lịch sử.`,
      },
      partner: {
        title: 'Nối với phần mềm khác',
        steps: `Tạo một khóa API cho riêng phần mềm đó trong Cài đặt, Khóa API.
Thêm webhook nếu phần mềm cần được báo ngay.
Hướng dẫn cho lập trình viên ở địa chỉ của Shopbell, thêm /docs.`,
      },
      keyboard: {
        title: 'Phím tắt',
        steps: `Ctrl K: tìm màn hình, việc cần làm, đơn, khách, sản phẩm, tin nhắn, mẫu tin, tin tức.
/ : đến ô tìm kiếm của danh sách.
j và k: dòng sau, dòng trước. x: chọn dòng. Enter: mở.
Ctrl D trong bảng phiên bản: chép giá trị xuống dưới.`,
      },
      trouble: {
        title: 'Khi mạng hay máy trục trặc',
        steps: `Những gì đang nhập được giữ, kể cả khi tải lại trang hay hết phiên đăng nhập.
Nếu không rõ một việc đã được ghi chưa, bấm lại: việc đó không bị ghi hai lần.
Hỏi người vận hành thì kèm Mã yêu cầu ở phần Chi tiết của thông báo lỗi.`,
      },
    },
  },
  {
    title: 'Help',
    search: 'Search help',
    terms: 'Terms',
    open: (screen: string) => `Open ${screen}`,
    topics: {
      firstDay: {
        title: 'The first day',
        steps: `Add the first product, or a whole list from a file under Products, Import.
Enter the goods that you already have in that file or as goods received, with their cost, so that profit can be calculated.
Connect the official account in Settings, Official accounts.
Write a template and submit it for review; the platform usually answers in a day or two.
Ask the operator to top up the wallet that pays for messages.
Make the first sale at the counter. The list on the overview is ticked off automatically.`,
      },
      counter: {
        title: 'At the counter',
        steps: `Open a shift and count the opening cash.
Scan a barcode, type part of a name, or touch a picture. A phone can scan with its camera.
Change quantity, price or discount on the line.
Choose the customer for a sale on credit or for a message.
Take the money, press Sell, print the receipt.
You can keep selling without a network: sales wait on this device, and each is sent once when the network is back.`,
      },
      correction: {
        title: 'Correct a sale',
        steps: `Open it under Orders.
Record money that the customer paid later.
Cancel it if it was a mistake: the goods return to stock, and the order stays in the list.`,
      },
      stock: {
        title: 'Keep stock right',
        steps: `Goods arrive: enter goods received with their cost.
The shelf is counted: enter a stock count; the difference is booked.
Goods move between warehouses: enter a transfer. New warehouses are added in the settings.
To see where a quantity comes from, open the product and its stock movements.`,
      },
      message: {
        title: 'Message customers',
        steps: `Choose an approved template.
Send one message, or a batch from an Excel or CSV file.
Every row is checked first: wrong and repeated numbers, customers who opted out, and the total fee. Nothing is held until you confirm.
Follow the outcome under Send and history.`,
      },
      partner: {
        title: 'Connect other software',
        steps: `Create an API key for that software alone in Settings, API keys.
Add a webhook if it must be notified immediately.
The guide for developers is at the address of Shopbell followed by /docs.`,
      },
      keyboard: {
        title: 'Keyboard',
        steps: `Ctrl K: find screens, actions, orders, customers, products, messages, templates, news.
/ : go to the list’s search.
j and k: next and previous row. x: select. Enter: open.
Ctrl D in the sheet of variants: fill down.`,
      },
      trouble: {
        title: 'When the network or the computer fails',
        steps: `What you typed is kept, even after a reload or an expired session.
If it is not known whether something was booked, press the button again: it is not booked twice.
When you contact the operator, give the request id from the details of the error.`,
      },
    },
  },
)

export type Topic = keyof (typeof helpTexts)['vi']['topics']
/** The screen that a topic is about. */
export const SCREENS = {
  firstDay: { to: '/', item: 'overview' },
  counter: { to: '/pos', item: 'pos' },
  correction: { to: '/orders', item: 'orders' },
  stock: { to: '/goods-received', item: 'goodsReceived' },
  message: { to: '/messages', item: 'messages' },
  partner: { to: '/settings', item: 'shopSettings' },
} as const
