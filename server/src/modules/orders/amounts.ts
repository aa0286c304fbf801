import { largestRemainder, roundHalfUpDiv, toAmount, toSafeNumber } from '../../lib/amounts/money.ts'

/** One order line as sold. Đồng with VAT included, except `quantity` (pieces) and the VAT rate (0 to 10,000). */
export type AmountLine = { quantity: number; price: number; discount: number; vatBasisPoints: number }

/** What the order adds to or deducts from its lines, in đồng. */
export type AmountOrder = { discount: number; shippingFee: number }

/** One line's amounts in đồng; `gross` = `originPrice` − `discount` − `discountShare` = `net` + `tax`. */
export type LineAmounts = {
  vatBasisPoints: number
  originPrice: number
  discount: number
  discountShare: number
  gross: number
  net: number
  tax: number
}

/** What was sold at one VAT rate, in đồng; `gross` = `net` + `tax`. */
export type RateAmounts = { vatBasisPoints: number; gross: number; net: number; tax: number }

/** An order's amounts in đồng. `discount` is what was really taken off; `lines` keep the caller's order. */
export type OrderAmounts = {
  originPrice: number
  discount: number
  price: number
  untaxedPrice: number
  lines: LineAmounts[]
  perRate: RateAmounts[]
}

/**
 * An order's price, its price without VAT, and how both are divided over lines and VAT rates (E14, G-42). Integers of đồng;
 * prices include VAT. A line's discount takes it down to 0 at most, the order's discount takes the sum of lines down to 0 at
 * most, and the shipping fee is added untaxed.
 *
 * The order's discount and then each rate's net are divided by largest remainder, first over the VAT rates (ascending, ties to
 * the lower rate), then over the lines of each rate. If they were divided over the lines directly, the sum of a rate would depend
 * on the order of the lines and on how a customer's pieces are split over them.
 * @throws RangeError on an amount that is negative, not an integer, or makes a sum beyond the safe integers, on a quantity below
 * 1, and on a rate that is not a number of basis points from 0 to 10,000.
 */
export function computeAmounts(lines: readonly AmountLine[], order: AmountOrder): OrderAmounts {
  const sold = lines.map(soldLine)
  const rates = [...new Set(sold.map((line) => line.vatBasisPoints))].sort((a, b) => a - b)
  const groups = rates.map((vatBasisPoints) => {
    const members = sold.filter((line) => line.vatBasisPoints === vatBasisPoints)
    return { vatBasisPoints, members, sum: sumOf(members.map((line) => line.gross)) }
  })
  const lineSum = sumOf(groups.map((group) => group.sum))
  const discount = Math.min(toSafeNumber(toAmount(order.discount, 'discount')), lineSum)
  const discounts = largestRemainder(
    discount,
    groups.map((group) => group.sum),
  )

  const perRate = groups.map(({ vatBasisPoints, members, sum }, index) => {
    const groupDiscount = discounts[index] ?? 0
    const shares = largestRemainder(
      groupDiscount,
      members.map((line) => line.gross),
    )
    members.forEach((line, position) => {
      line.discountShare = shares[position] ?? 0
      line.gross -= line.discountShare
    })
    const gross = sum - groupDiscount
    const net = roundHalfUpDiv(BigInt(gross) * 10_000n, 10_000 + vatBasisPoints)
    const nets = largestRemainder(
      net,
      members.map((line) => line.gross),
    )
    members.forEach((line, position) => {
      line.net = nets[position] ?? 0
      line.tax = line.gross - line.net
    })
    return { vatBasisPoints, gross, net, tax: gross - net }
  })

  const shippingFee = toSafeNumber(toAmount(order.shippingFee, 'shippingFee'))
  return {
    originPrice: sumOf(sold.map((line) => line.originPrice)),
    discount,
    price: sumOf([lineSum - discount, shippingFee]),
    untaxedPrice: sumOf(perRate.map((rate) => rate.net)),
    lines: sold,
    perRate,
  }
}

function soldLine(line: AmountLine, index: number): LineAmounts {
  const { quantity, price, vatBasisPoints } = line
  if (quantity < 1) throw new RangeError(`lines[${index}].quantity must be at least 1`)
  if (!Number.isInteger(vatBasisPoints) || vatBasisPoints < 0 || vatBasisPoints > 10_000) {
    throw new RangeError(`lines[${index}].vatBasisPoints must be an integer from 0 to 10000`)
  }
  const originPrice = toSafeNumber(
    toAmount(quantity, `lines[${index}].quantity`) * toAmount(price, `lines[${index}].price`),
  )
  const discount = Math.min(toSafeNumber(toAmount(line.discount, `lines[${index}].discount`)), originPrice)
  const gross = originPrice - discount
  return { vatBasisPoints, originPrice, discount, discountShare: 0, gross, net: 0, tax: 0 }
}

function sumOf(amounts: number[]): number {
  return toSafeNumber(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n))
}
