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
    compareAtPrice: {
      name: 'Giá so sánh',
      text: 'Giá cũ, cao hơn giá bán, thường hiện gạch ngang bên cạnh để khách thấy được giảm bao nhiêu. Đơn hàng luôn tính theo giá bán.',
    },
    vat: {
      name: 'VAT',
      text: 'Thuế giá trị gia tăng. Giá bán đã gồm thuế này; hóa đơn ghi riêng phần thuế nằm trong đó.',
    },
    skuCode: {
      name: 'Mã sản phẩm (SKU)',
      text: 'Mã cửa hàng tự đặt để gọi tên một mặt hàng, như AO01. Dùng để tìm, quét và nhập từ tệp; mỗi mặt hàng nên có một mã riêng.',
    },
    slug: {
      name: 'Đường dẫn',
      text: 'Phần cuối của địa chỉ trang, viết không dấu, như ao-thun-do. Đổi đường dẫn thì liên kết đã chia sẻ trước đó có thể không mở được nữa.',
    },
    seo: {
      name: 'SEO',
      text: 'Những gì giúp khách tìm thấy bài trên Google: tiêu đề, mô tả và đường dẫn hiện trong kết quả tìm kiếm.',
    },
    miniApp: {
      name: 'Mini-app',
      text: 'Gian hàng của bạn nằm ngay trong ứng dụng nhắn tin của khách. Khách xem hàng, đọc tin và đặt mua mà không cần cài gì thêm.',
    },
    publishing: {
      name: 'Nháp và đăng bài',
      text: 'Bản nháp chỉ người trong cửa hàng thấy. Đăng rồi thì khách đọc được bài. Muốn khách không thấy nữa, mở bài đã đăng và chọn Đang ẩn.',
    },
    consent: {
      name: 'Đồng ý và từ chối nhận tin',
      text: 'Khách có quyền không nhận tin chăm sóc và hậu mãi. Đã ghi nhận từ chối thì những tin đó không gửi tới khách nữa; tin về đơn hàng vẫn gửi.',
    },
    nightHours: {
      name: 'Giờ ban đêm',
      text: 'Từ 22:00 đến 6:00, nền tảng không nhận một số mẫu tin để khỏi làm phiền khách. Tin tự chờ tới sáng, không cần gửi lại; riêng mã OTP thì hết hạn.',
    },
    cashDifference: {
      name: 'Chênh lệch tiền mặt',
      text: 'Tiền đếm được trừ tiền mặt phải có. Thừa hay thiếu đều được lưu cùng ca; hãy tìm lý do trước khi đóng ca.',
    },
    goodsReceived: {
      name: 'Nhập hàng',
      text: 'Ghi hàng vừa về cùng giá nhập: tồn kho tăng lên. Giá vốn là trung bình giữa hàng còn trong kho và hàng vừa nhập, tính theo số lượng.',
    },
    transfer: {
      name: 'Chuyển kho',
      text: 'Mang hàng từ kho này sang kho khác của cửa hàng. Tổng số hàng và giá vốn không đổi.',
    },
    available: {
      name: 'Tồn kho, đang giữ, khả dụng',
      text: 'Tồn kho là số hàng trong kho. Đang giữ là phần dành cho đơn chưa giao. Khả dụng là số còn bán được: tồn kho trừ đang giữ.',
    },
    lowStock: {
      name: 'Sắp hết hàng',
      text: 'Hàng từng nhập kho chỉ còn vài cái để bán, nên nhập thêm. Hàng đang giữ cho đơn chưa giao không tính là còn.',
    },
    oversell: {
      name: 'Bán vượt tồn kho',
      text: 'Nhận đơn cả khi hàng trong kho không đủ. Tồn kho khi đó thành số âm cho đến khi nhập thêm hàng.',
    },
    scope: {
      name: 'Quyền của khóa',
      text: 'Những phần của cửa hàng mà phần mềm giữ khóa được dùng. Chỉ chọn phần nó cần, để nếu lộ khóa thì thiệt hại ít.',
    },
    rateLimit: {
      name: 'Giới hạn lượt gọi',
      text: 'Mỗi lần phần mềm hỏi hay gửi gì cho Shopbell là một lượt gọi. Vượt giới hạn thì phần mềm phải chờ một lúc rồi gọi lại.',
    },
    event: {
      name: 'Sự kiện',
      text: 'Một việc vừa xảy ra mà phần mềm khác muốn biết, như có đơn mới hay tồn kho đổi. Không cần hết thì chỉ chọn những sự kiện cần.',
    },
    webhookSecret: {
      name: 'Mã bí mật và chữ ký',
      text: 'Mỗi lần báo được Shopbell ký bằng mã này. Phần mềm nhận giữ cùng mã nên biết tin báo là thật, không phải người khác giả.',
    },
    circuit: {
      name: 'Tạm ngắt',
      text: 'Khi nền tảng lỗi liên tục, Shopbell ngừng gọi một lúc rồi tự thử lại, như cầu dao ngắt điện. Tin không mất mà chờ.',
    },
    queue: {
      name: 'Hàng đợi',
      text: 'Việc chạy ngầm xếp hàng chờ tới lượt, như gửi mẫu đi duyệt hay nhập tệp. Số đang chờ tăng mãi là có trục trặc.',
    },
    failedJob: {
      name: 'Việc bị lỗi',
      text: 'Việc đã thử đủ số lần mà vẫn lỗi nên không tự chạy nữa. Sửa nguyên nhân rồi bấm Chạy lại, hoặc xóa nếu không cần.',
    },
    token: {
      name: 'Access token và refresh token',
      text: 'Hai mã nền tảng cấp để gửi tin thay cho OA. Access token có hạn ngắn; Shopbell tự dùng refresh token để lấy mã mới.',
    },
    brandname: {
      name: 'Brandname',
      text: 'Tên cửa hàng hiện ở chỗ người gửi của SMS, thay cho số điện thoại. Phải đăng ký trước với nhà cung cấp SMS.',
    },
    csv: {
      name: 'Tệp CSV',
      text: 'Bảng tính lưu thành chữ, mỗi dòng một sản phẩm hay một khách, mỗi cột một loại thông tin. Excel và Google Trang tính đều lưu được dạng này.',
    },
    review: {
      name: 'Kiểm tra và duyệt mẫu',
      text: 'Shopbell tìm trước những chỗ nền tảng hay từ chối. Bản nháp chỉ cửa hàng thấy; gửi duyệt rồi thì nền tảng đọc, và chỉ mẫu được duyệt mới gửi được.',
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
    compareAtPrice: {
      name: 'Compare-at price',
      text: 'The earlier, higher price, usually shown crossed out so that customers see what they save. Orders always use the price itself.',
    },
    vat: {
      name: 'VAT',
      text: 'Value added tax. Prices include it; a receipt shows how much of the total is tax.',
    },
    skuCode: {
      name: 'Product code (SKU)',
      text: 'Your own code for a product, such as AO01, for searching, scanning and importing. Give each product a code of its own.',
    },
    slug: {
      name: 'Slug',
      text: 'The last part of a page’s address, such as red-t-shirt. If you change it, links that were shared before may no longer open.',
    },
    seo: {
      name: 'SEO',
      text: 'What helps people find the article with a search engine: the title, description and address that are shown in its results.',
    },
    miniApp: {
      name: 'Mini-app',
      text: 'Your shop inside the customers’ messaging app. They see products, read news and order there without installing anything.',
    },
    publishing: {
      name: 'Drafts and publishing',
      text: 'Only your shop sees a draft. Customers can read an article once it is published. To hide it from them again, open the published article and choose Hidden.',
    },
    consent: {
      name: 'Consent and opt-out',
      text: 'Customers may refuse messages of customer care and post-sale. Once a refusal is recorded, those are no longer sent to them; messages about orders still are.',
    },
    nightHours: {
      name: 'Night hours',
      text: 'From 22:00 to 06:00 the platform does not accept some templates, so as not to disturb people. The messages wait until morning; one-time passwords expire.',
    },
    cashDifference: {
      name: 'Cash difference',
      text: 'The counted cash less the expected cash. Missing or surplus cash is recorded with the shift, so look for the reason before you close it.',
    },
    goodsReceived: {
      name: 'Goods received',
      text: 'Record goods that have arrived with their cost: the stock rises. The average cost is then that of all pieces, those in stock and the new ones.',
    },
    transfer: {
      name: 'Transfer',
      text: 'Moves goods from one warehouse of the shop to another. Neither the total stock nor the average cost changes.',
    },
    available: {
      name: 'Stock, reserved, available',
      text: 'Stock is what lies in the warehouse. Reserved pieces are promised to orders that are not delivered yet. Available is the rest, which can still be sold.',
    },
    lowStock: {
      name: 'Low stock',
      text: 'Stocked products of which only a few pieces are left to sell. Pieces that are reserved for orders do not count.',
    },
    oversell: {
      name: 'Overselling',
      text: 'Orders are accepted even if the stock is too small. The stock is then negative until goods arrive.',
    },
    scope: {
      name: 'Scopes of a key',
      text: 'The parts of the shop that software with this key may use. Choose only what it needs, so that a leaked key does little harm.',
    },
    rateLimit: {
      name: 'Request limit',
      text: 'Each time software asks or sends something, it makes one request. Above the limit it must wait a little and ask again.',
    },
    event: {
      name: 'Event',
      text: 'Something that has happened and that other software wants to know, such as a new order or a change of stock. Choose only some if it does not need all.',
    },
    webhookSecret: {
      name: 'Secret and signature',
      text: 'Shopbell signs each notification with this secret. The receiver has the same secret, so it knows that the notification is genuine.',
    },
    circuit: {
      name: 'Paused calls (circuit breaker)',
      text: 'When the platform keeps failing, Shopbell stops calling it for a while and then tries again, like a fuse. Messages are not lost; they wait.',
    },
    queue: {
      name: 'Queue',
      text: 'Background work that waits for its turn, such as submitting templates or importing files. If more and more is waiting, something is wrong.',
    },
    failedJob: {
      name: 'Failed job',
      text: 'Work that failed on every attempt and is no longer repeated. Remove the cause and run it again, or delete it if it is not needed.',
    },
    token: {
      name: 'Access token and refresh token',
      text: 'Two codes of the platform for sending in the official account’s name. The access token is valid for a short time; Shopbell renews it with the refresh token.',
    },
    brandname: {
      name: 'Brandname',
      text: 'The shop’s name as the sender of an SMS, instead of a phone number. It must first be registered with the SMS provider.',
    },
    csv: {
      name: 'CSV file',
      text: 'A spreadsheet saved as text, with one product or customer per row and one kind of information per column. Excel and Google Sheets can save it.',
    },
    review: {
      name: 'Check and review',
      text: 'Shopbell looks for what the platform often rejects. Only your shop sees a draft; once submitted, the platform reads it, and only approved templates can be sent.',
    },
  },
)

export type Term = keyof (typeof termTexts)['vi']
