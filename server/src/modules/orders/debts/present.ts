import type { DebtPaymentRow, DebtRow } from './sql.ts'

/** What a customer owes (G-46). */
export function presentDebt({ debt, opening, orders, oldest }: DebtRow) {
  return {
    debt,
    opening,
    orders,
    oldest: oldest.map(({ id, code, price, paidAmount, left, createdAt }) => ({
      _id: id,
      id,
      code,
      price,
      paidAmount,
      left,
      createdAt: new Date(createdAt).toISOString(),
    })),
  }
}

/** A customer's payment over several orders. */
export function presentDebtPayment(row: DebtPaymentRow) {
  return {
    _id: row.id,
    id: row.id,
    amount: row.amount,
    paymentMethod: row.method,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    opening: row.opening,
    payments: row.parts.map(({ orderId, code, amount }) => ({ orderId, code, amount })),
  }
}
