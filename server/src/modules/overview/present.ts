import type { OverviewRow } from './sql.ts'

export function presentOverview(row: OverviewRow) {
  return {
    days: row.days.map(({ day, orders, revenue, accepted, delivered, failed, spend }) => ({
      day,
      orders,
      revenue,
      accepted,
      delivered,
      failed,
      spend,
    })),
    templates: { waiting: row.waiting_templates, rejected: row.rejected_templates },
    wallet: { balance: row.balance, held: row.held, lowBelow: row.low_below },
    disabledWebhooks: row.disabled_webhooks,
    pendingOrders: row.pending_orders,
    firstSteps: {
      products: row.has_products,
      stock: row.has_stock,
      account: row.has_account,
      template: row.has_template,
      money: row.has_money,
      sale: row.has_sale,
    },
  }
}
