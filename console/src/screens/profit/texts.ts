import { catalogue } from '../../texts/catalogue.ts'

export const profitTexts = catalogue(
  {
    title: 'Lợi nhuận',
    period: 'Khoảng thời gian',
    periods: { 7: '7 ngày', 30: '30 ngày', month: 'Tháng này', lastMonth: 'Tháng trước' },
    sales: 'Doanh thu hàng hóa',
    salesHint: 'chưa gồm phí giao hàng',
    cost: 'Giá vốn hàng bán',
    costHint: 'theo giá vốn lúc bán',
    profit: 'Lợi nhuận',
    margin: (percent: string) => `${percent} doanh thu`,
    orders: 'Đơn hàng',
    ordersHint: 'không tính đơn đã hủy',
    withoutCost: (lines: string, all: string) => `${lines} trên ${all} dòng hàng đã bán chưa có giá vốn`,
    withoutCostHint: (sales: string) =>
      `Doanh thu ${sales} của các dòng này không tính vào lợi nhuận. Hãy ghi giá nhập khi nhập hàng.`,
    salesWithoutCost: 'Chưa có giá vốn',
    toReceive: 'Nhập hàng',
    byDay: 'Theo ngày',
    day: 'Ngày',
  },
  {
    title: 'Profit',
    period: 'Period',
    periods: { 7: '7 days', 30: '30 days', month: 'This month', lastMonth: 'Last month' },
    sales: 'Sales of goods',
    salesHint: 'without shipping fees',
    cost: 'Cost of goods sold',
    costHint: 'at the time of sale',
    profit: 'Profit',
    margin: (percent: string) => `${percent} of sales`,
    orders: 'Orders',
    ordersHint: 'without cancelled orders',
    withoutCost: (lines: string, all: string) => `${lines} of ${all} sold lines have no cost`,
    withoutCostHint: (sales: string) =>
      `Their sales of ${sales} are not included in the profit. Enter unit costs when you receive goods.`,
    salesWithoutCost: 'Without a cost',
    toReceive: 'Goods received',
    byDay: 'By day',
    day: 'Day',
  },
)
