import { presentWho } from '../../lib/who.ts'
import { expectedCash } from './rules.ts'
import type { CashRow, ShiftPaymentRow, ShiftRow } from './sql.ts'

/** A shift (G-40). The expected cash of an open shift is calculated now. */
export function presentShift(row: ShiftRow) {
  const { methods, cash_in: cashIn, cash_out: cashOut, opening_cash: openingCash } = row
  const expected = row.expected_cash ?? expectedCash({ openingCash, cashIn, cashOut, methods })
  return {
    _id: row.id,
    id: row.id,
    shopId: row.shop_id,
    openedBy: presentWho(row.opened_by),
    openedAt: row.opened_at.toISOString(),
    openingCash,
    note: row.note,
    methods: methods.map(({ method, taken, refunded, payments }) => ({ method, taken, refunded, payments })),
    cashIn,
    cashOut,
    expectedCash: expected,
    closedBy: presentWho(row.closed_by),
    closedAt: row.closed_at?.toISOString() ?? null,
    countedCash: row.counted_cash,
    difference: row.counted_cash === null ? null : row.counted_cash - expected,
    closingNote: row.closing_note,
  }
}

export function presentShiftDetail(row: ShiftRow, movements: CashRow[]) {
  return {
    ...presentShift(row),
    movements: movements.map((movement) => ({
      _id: movement.id,
      id: movement.id,
      amount: movement.amount,
      reason: movement.reason,
      recordedBy: presentWho(movement.recorded_by),
      createdAt: new Date(movement.created_at).toISOString(),
    })),
  }
}

/** A payment record of a shift, with its order or, for an opening debt, its customer. */
export function presentShiftPayment(row: ShiftPaymentRow) {
  return {
    _id: row.id,
    id: row.id,
    amount: row.amount,
    paymentMethod: row.method,
    note: row.note,
    orderId: row.order_id,
    code: row.code,
    customer: row.customer,
    createdAt: row.created_at.toISOString(),
  }
}
