import { TOTAL_CAP } from '../../lib/lists/total.ts'
import { daysLeft } from './rules.ts'
import type { Asked, DayRow, OverviewRow } from './sql.ts'

export function presentOverview(row: OverviewRow, { comparisons }: Asked) {
  const sum = (of: (day: DayRow) => number) => row.days.reduce((total, day) => total + of(day), 0)
  const open = (status: string) => row.open_orders[status] ?? 0
  return {
    days: row.days.map(({ day, ...figures }) => ({ day, ...presentFigures(figures) })),
    total: presentFigures({
      orders: sum(({ orders }) => orders),
      revenue: sum(({ revenue }) => revenue),
      accepted: sum(({ accepted }) => accepted),
      delivered: sum(({ delivered }) => delivered),
      failed: sum(({ failed }) => failed),
      spend: sum(({ spend }) => spend),
    }),
    before: row.compared.map(({ orders, revenue }, place) => ({
      from: comparisons[place]!.from.toISOString(),
      until: comparisons[place]!.until.toISOString(),
      orders,
      revenue,
    })),
    hours: row.hours.map(({ hour, orders, revenue, ordersBefore, revenueBefore }) => ({
      hour,
      orders,
      revenue,
      ordersBefore,
      revenueBefore,
    })),
    sellers: row.sellers.map(({ by, soldBy, orders, revenue }) => ({
      soldBy: soldBy === '' ? null : soldBy,
      by: by && { type: by.type, id: by.id, name: by.name },
      orders,
      revenue,
    })),
    ordersToHandle: {
      pending: open('pending'),
      confirmed: open('confirmed'),
      processing: open('processing'),
      readyToShip: open('ready_to_ship'),
      shipping: open('shipping'),
    },
    owed: {
      orders: Math.min(row.owed.n, TOTAL_CAP),
      isCut: row.owed.n > TOTAL_CAP,
      amount: row.owed.n > TOTAL_CAP ? null : row.owed.amount,
    },
    lowStock: {
      atMost: row.low_stock.atMost,
      products: Math.min(row.low_stock.n, TOTAL_CAP),
      isCut: row.low_stock.n > TOTAL_CAP,
      first: row.low_stock.first.map(({ id, ...product }) => ({ _id: id, id, ...product })),
    },
    topGoods: {
      since: row.top_goods.since,
      orders: row.top_goods.orders,
      isCut: row.top_goods.isCut,
      goods: row.top_goods.goods.map(({ id, ...product }) => ({ _id: id, id, ...product })),
    },
    templates: { waiting: row.waiting_templates, rejected: row.rejected_templates },
    wallet: {
      balance: row.balance,
      held: row.held,
      lowBelow: row.low_below,
      lastsDays: daysLeft(row.balance, row.spent_in_week),
    },
    disabledWebhooks: row.disabled_webhooks,
    pendingOrders: open('pending'),
    firstSteps: {
      products: row.has_products,
      stock: row.has_stock,
      account: row.has_account,
      template: row.has_template,
      money: row.has_money,
      sale: row.has_sale,
      message: row.has_message,
    },
  }
}

function presentFigures({ orders, revenue, accepted, delivered, failed, spend }: Omit<DayRow, 'day'>) {
  return { orders, revenue, accepted, delivered, failed, spend }
}
