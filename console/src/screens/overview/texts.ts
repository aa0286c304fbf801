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
    marginOf: (part: string, sum: string) => `${part} của ${sum} có giá vốn`,
    withoutCost: (lines: string) => `${lines} dòng chưa có giá vốn`,
    delivered: 'Tin đã đến khách',
    arrived: (part: string, hasFailed: boolean) =>
      hasFailed ? `${part} số tin, tính cả tin lỗi` : `${part} số tin đã gửi`,
    cost: (sum: string) => `chi phí ${sum}`,
    failedOf: (count: string) => `${count} tin lỗi`,
    walletEmpty: 'ví đã hết tiền',
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
      month: 'Tháng này',
      lastMonth: 'Tháng trước',
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
    nothingLow: (most: string) => `Không có hàng đã nhập kho nào còn ${most} cái trở xuống.`,
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
    waiting: (_count: number) => 'mẫu tin đang chờ duyệt',
    rejected: (_count: number) => 'mẫu tin bị từ chối: sửa và gửi lại',
    webhooksOff: (_count: number) => 'webhook đã bị tắt vì lỗi liên tục',
    disconnected: (name: string) => `OA ${name} mất kết nối: hãy kết nối lại để tiếp tục gửi tin`,
    circuitOpen: (name: string) => `OA ${name}: nền tảng tin nhắn đang lỗi, tin sẽ tự gửi tiếp khi hết lỗi`,
    walletLasts: 'ngày nữa ví hết tiền nếu gửi tin như tuần qua',
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
      products: {
        name: 'Thêm sản phẩm đầu tiên',
        why: 'Có hàng hóa thì mới bán được',
        act: 'Thêm hàng hóa',
      },
      stock: {
        name: 'Nhập hàng vào kho',
        why: 'Để luôn biết còn bao nhiêu và khi nào sắp hết',
        act: 'Nhập hàng',
      },
      account: {
        name: 'Kết nối tài khoản OA',
        why: 'Khách nhận tin từ tên của cửa hàng',
        act: 'Kết nối OA',
      },
      template: {
        name: 'Có một mẫu tin được duyệt',
        why: 'Chỉ gửi được tin theo mẫu đã duyệt',
        act: 'Tạo mẫu tin',
      },
      money: {
        name: 'Nạp tiền vào ví',
        why: 'Phí mỗi tin được trừ từ ví',
        act: 'Xem cách nạp',
      },
      sale: {
        name: 'Bán đơn đầu tiên',
        why: 'Từ đơn này, doanh thu hiện ở đây',
        act: 'Bán hàng',
      },
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
    marginOf: (part: string, sum: string) => `${part} of the ${sum} with a known cost`,
    withoutCost: (lines: string) =>
      lines === '1' ? '1 order line without a cost' : `${lines} order lines without a cost`,
    delivered: 'Messages delivered',
    arrived: (part: string, hasFailed: boolean) =>
      hasFailed ? `${part} of messages, including failed ones` : `${part} of those sent`,
    cost: (sum: string) => `cost ${sum}`,
    failedOf: (count: string) => `${count} failed`,
    walletEmpty: 'wallet empty',
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
      month: 'This month',
      lastMonth: 'Last month',
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
    nothingLow: (most: string) => `No stocked product has ${most} pieces or fewer.`,
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
    waiting: (count: number) => (count === 1 ? 'template under review' : 'templates under review'),
    rejected: (count: number) =>
      count === 1 ? 'template rejected: fix and resubmit' : 'templates rejected: fix and resubmit',
    webhooksOff: (count: number) =>
      count === 1 ? 'webhook was disabled after failures' : 'webhooks were disabled after failures',
    disconnected: (name: string) => `OA ${name} is disconnected: connect it again to keep sending`,
    circuitOpen: (name: string) =>
      `OA ${name}: the messaging platform is failing; sending resumes automatically when it recovers`,
    walletLasts: 'days until the wallet is empty at last week’s rate',
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
      products: { name: 'Add your first product', why: 'You need goods to sell', act: 'Add goods' },
      stock: {
        name: 'Receive stock',
        why: 'So that you know how much is left and what runs low',
        act: 'Receive goods',
      },
      account: {
        name: 'Connect an official account',
        why: 'Customers get messages in your shop’s name',
        act: 'Connect OA',
      },
      template: {
        name: 'Get a template approved',
        why: 'Only approved templates can be sent',
        act: 'New template',
      },
      money: {
        name: 'Top up the wallet',
        why: 'The fee of each message is taken from it',
        act: 'See how',
      },
      sale: { name: 'Make your first sale', why: 'Revenue appears here from then on', act: 'Sell' },
    },
  },
)
