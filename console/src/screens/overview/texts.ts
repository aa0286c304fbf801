import { catalogue } from '../../texts/catalogue.ts'

const ordersOf = (count: string) => (count === '1' ? '1 order' : `${count} orders`)

export const overviewTexts = catalogue(
  {
    title: 'Tổng quan',
    greeting: (name: string, day: string) => (name === '' ? day : `Chào ${name} · ${day}`),
    revenue: 'Doanh thu',
    orders: 'Đơn hàng',
    perOrder: 'Trung bình một đơn',
    perOrderHint: 'Doanh thu chia cho số đơn',
    profit: 'Lợi nhuận',
    margin: (part: string) => `${part} doanh thu hàng hóa`,
    withoutCost: (lines: string) => `${lines} dòng chưa có giá vốn`,
    delivered: 'Tin đã đến khách',
    arrived: (part: string) => `${part} số tin đã gửi`,
    cost: (sum: string) => `chi phí ${sum}`,
    failedOf: (count: string) => `${count} tin lỗi`,
    wallet: (balance: string) => `ví ${balance}`,
    walletDays: (balance: string, days: string) => `ví ${balance}, đủ ${days} ngày như tuần qua`,
    walletOverAYear: (balance: string) => `ví ${balance}, đủ hơn một năm như tuần qua`,
    /** What a period is compared with: the first or the second period before it. */
    before: (period: string, place: number, value: string) =>
      period === 'today'
        ? place === 0
          ? `hôm qua lúc này ${value}`
          : `tuần trước lúc này ${value}`
        : period === 'yesterday'
          ? place === 0
            ? `hôm kia ${value}`
            : `tuần trước ${value}`
          : `${period} ngày trước đó ${value}`,
    period: 'Khoảng thời gian',
    periods: {
      today: 'Hôm nay',
      yesterday: 'Hôm qua',
      '7': '7 ngày qua',
      '30': '30 ngày qua',
      '90': '90 ngày qua',
    },
    dayBefore: (period: string) => (period === 'today' ? 'Hôm qua' : 'Hôm kia'),
    hour: (hour: number) => `${hour}h`,
    sold: (orders: string, revenue: string) => `${orders} đơn, ${revenue}`,
    byHour: 'Doanh thu theo giờ',
    byDay: 'Doanh thu theo ngày',
    messagesByDay: 'Tin nhắn theo ngày',
    messagesOf: (day: string, of: { sent: string; delivered: string; failed: string; cost: string }) =>
      `${day}: ${of.sent} tin đã gửi, ${of.delivered} đã đến, ${of.failed} lỗi, chi phí ${of.cost}`,
    topGoods: 'Bán chạy',
    topGoodsOf: (orders: string) => `Bán chạy trong ${orders} đơn gần nhất`,
    inOrders: (pieces: string, orders: string) => `${pieces} cái trong ${orders} đơn`,
    nothingSold: 'Chưa bán đơn nào trong thời gian này.',
    lowStock: 'Sắp hết hàng',
    allLow: (count: string) => `Xem ${count} sản phẩm`,
    nothingLow: (most: number) => `Không có sản phẩm nào còn ${most} cái trở xuống.`,
    soldOut: 'Hết hàng',
    left: (count: string) => `Còn ${count}`,
    bySeller: 'Theo người bán',
    noSeller: 'Không ghi người bán',
    goneSeller: 'Người đã rời cửa hàng',
    ordersOf: (count: string) => `${count} đơn`,
    otherSellers: (count: string, orders: string) => `${count} người khác, ${orders} đơn`,
    toHandle: {
      pending: 'đơn chờ xác nhận',
      confirmed: 'đơn đã xác nhận, cần chuẩn bị',
      processing: 'đơn đang chuẩn bị',
      readyToShip: 'đơn chờ giao',
      shipping: 'đơn đang giao',
    },
    owed: (amount: string) => (amount === '' ? 'đơn khách còn nợ' : `đơn khách còn nợ, cần thu ${amount}`),
    attention: 'Cần làm',
    nothingWaits: 'Không có gì cần xử lý.',
    walletLow: (balance: string) => `Ví còn ${balance}: hãy nạp thêm để tin vẫn gửi được.`,
    waiting: (count: number) => `${count} mẫu tin đang chờ duyệt`,
    rejected: (count: number) => `${count} mẫu tin bị từ chối: sửa và gửi lại`,
    webhooksOff: (count: number) => `${count} webhook đã bị tắt vì lỗi liên tục`,
    disconnected: (name: string) => `OA ${name} mất kết nối: hãy kết nối lại để tiếp tục gửi tin`,
    circuitOpen: (name: string) => `OA ${name}: nền tảng tin nhắn đang lỗi, tin sẽ tự gửi tiếp khi hết lỗi`,
    walletLasts: 'ngày nữa ví hết tiền nếu gửi tin như tuần qua',
    open: 'Mở',
    acts: {
      pending: 'Xác nhận',
      confirmed: 'Chuẩn bị',
      processing: 'Xem',
      readyToShip: 'Giao',
      shipping: 'Xem',
      owed: 'Thu',
      connect: 'Kết nối',
      topUp: 'Nạp',
      correct: 'Sửa',
      see: 'Xem',
    },
    firstSteps: 'Bắt đầu với Shopbell',
    doneOf: (done: number, all: number) => `Đã xong ${done}/${all}`,
    done: 'Đã xong',
    steps: {
      products: 'Thêm sản phẩm đầu tiên',
      stock: 'Nhập hàng vào kho',
      account: 'Kết nối Official Account',
      template: 'Có một mẫu tin được duyệt',
      money: 'Nạp tiền vào ví',
      sale: 'Bán đơn đầu tiên',
    },
  },
  {
    title: 'Overview',
    greeting: (name: string, day: string) => (name === '' ? day : `Hello ${name} · ${day}`),
    revenue: 'Revenue',
    orders: 'Orders',
    perOrder: 'Average order',
    perOrderHint: 'Revenue divided by orders',
    profit: 'Profit',
    margin: (part: string) => `${part} of sales of goods`,
    withoutCost: (lines: string) =>
      lines === '1' ? '1 order line without a cost' : `${lines} order lines without a cost`,
    delivered: 'Messages delivered',
    arrived: (part: string) => `${part} of those sent`,
    cost: (sum: string) => `cost ${sum}`,
    failedOf: (count: string) => `${count} failed`,
    wallet: (balance: string) => `wallet ${balance}`,
    walletDays: (balance: string, days: string) => `wallet ${balance}, ${days} days at last week’s rate`,
    walletOverAYear: (balance: string) => `wallet ${balance}, over a year at last week’s rate`,
    before: (period: string, place: number, value: string) =>
      period === 'today'
        ? place === 0
          ? `yesterday by this time ${value}`
          : `a week ago by this time ${value}`
        : period === 'yesterday'
          ? place === 0
            ? `the day before ${value}`
            : `a week before ${value}`
          : `previous ${period} days ${value}`,
    period: 'Period',
    periods: {
      today: 'Today',
      yesterday: 'Yesterday',
      '7': 'Last 7 days',
      '30': 'Last 30 days',
      '90': 'Last 90 days',
    },
    dayBefore: (period: string) => (period === 'today' ? 'Yesterday' : 'The day before'),
    hour: (hour: number) => `${hour}:00`,
    sold: (orders: string, revenue: string) => `${ordersOf(orders)}, ${revenue}`,
    byHour: 'Revenue by hour',
    byDay: 'Revenue by day',
    messagesByDay: 'Messages by day',
    messagesOf: (day: string, of: { sent: string; delivered: string; failed: string; cost: string }) =>
      `${day}: ${of.sent} sent, ${of.delivered} delivered, ${of.failed} failed, cost ${of.cost}`,
    topGoods: 'Best sellers',
    topGoodsOf: (orders: string) => `Best sellers of the last ${orders} orders`,
    inOrders: (pieces: string, orders: string) =>
      `${pieces === '1' ? '1 piece' : `${pieces} pieces`} in ${ordersOf(orders)}`,
    nothingSold: 'Nothing was sold in this period.',
    lowStock: 'Low on stock',
    allLow: (count: string) => `See ${count} products`,
    nothingLow: (most: number) => `No product has ${most} pieces or fewer.`,
    soldOut: 'Sold out',
    left: (count: string) => `${count} left`,
    bySeller: 'By seller',
    noSeller: 'Seller not recorded',
    goneSeller: 'Left the shop',
    ordersOf,
    otherSellers: (count: string, orders: string) =>
      `${count === '1' ? '1 other' : `${count} others`}, ${ordersOf(orders)}`,
    toHandle: {
      pending: 'orders to confirm',
      confirmed: 'orders confirmed, to prepare',
      processing: 'orders being prepared',
      readyToShip: 'orders ready to ship',
      shipping: 'orders on their way',
    },
    owed: (amount: string) =>
      amount === '' ? 'orders still owed' : `orders still owed, ${amount} to collect`,
    attention: 'To do',
    nothingWaits: 'Nothing needs your attention.',
    walletLow: (balance: string) => `Wallet balance: ${balance}. Top up to keep sending.`,
    waiting: (count: number) => (count === 1 ? '1 template under review' : `${count} templates under review`),
    rejected: (count: number) =>
      count === 1 ? '1 template rejected: fix and resubmit' : `${count} templates rejected: fix and resubmit`,
    webhooksOff: (count: number) =>
      count === 1
        ? '1 webhook was disabled after failures'
        : `${count} webhooks were disabled after failures`,
    disconnected: (name: string) => `OA ${name} is disconnected: connect it again to keep sending`,
    circuitOpen: (name: string) =>
      `OA ${name}: the messaging platform is failing; sending resumes automatically when it recovers`,
    walletLasts: 'days until the wallet is empty at last week’s rate',
    open: 'Open',
    acts: {
      pending: 'Confirm',
      confirmed: 'Prepare',
      processing: 'View',
      readyToShip: 'Ship',
      shipping: 'View',
      owed: 'Collect',
      connect: 'Connect',
      topUp: 'Top up',
      correct: 'Edit',
      see: 'View',
    },
    firstSteps: 'Get started',
    doneOf: (done: number, all: number) => `${done} of ${all} done`,
    done: 'Done',
    steps: {
      products: 'Add your first product',
      stock: 'Receive stock',
      account: 'Connect an official account',
      template: 'Get a template approved',
      money: 'Top up the wallet',
      sale: 'Make your first sale',
    },
  },
)
