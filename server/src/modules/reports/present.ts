import type { GoodsWithoutCost, ProfitDay } from './sql.ts'

/** The days of a period and their sums. */
export function presentProfit(rows: ProfitDay[]) {
  const days = rows.map((row) => ({ day: row.day, ...figures(row) }))
  const sum = (of: (row: ProfitDay) => number) => rows.reduce((total, row) => total + of(row), 0)
  const total = figures({
    orders: sum(({ orders }) => orders),
    sales: sum(({ sales }) => sales),
    lines: sum(({ lines }) => lines),
    lines_without_cost: sum(({ lines_without_cost }) => lines_without_cost),
    sales_with_cost: sum(({ sales_with_cost }) => sales_with_cost),
    cost: sum(({ cost }) => cost),
  })
  return { total, days }
}

export function presentGoodsWithoutCost(rows: GoodsWithoutCost[]) {
  const goods = rows.map(({ product_id: id, name, image, lines, quantity, sales }) => ({
    _id: id,
    id,
    name,
    image,
    lines,
    quantity,
    sales,
  }))
  return { products: rows[0]?.products ?? 0, goods }
}

function figures(row: Omit<ProfitDay, 'day'>) {
  return {
    orders: row.orders,
    sales: row.sales,
    lines: row.lines,
    linesWithoutCost: row.lines_without_cost,
    salesWithCost: row.sales_with_cost,
    cost: row.cost,
    profit: row.sales_with_cost - row.cost,
  }
}
