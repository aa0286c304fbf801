/**
 * a ÷ b rounded to the nearest integer, a half upwards (towards +∞). Exact at any size.
 * @throws RangeError when b is not positive, an operand is not an integer, or the result is not a safe integer.
 */
export function roundHalfUpDiv(a: bigint | number, b: bigint | number): number {
  const divisor = BigInt(b) * 2n
  if (divisor <= 0n) throw new RangeError('the divisor must be positive')
  const dividend = BigInt(a) * 2n + BigInt(b)
  const truncated = dividend / divisor
  return toSafeNumber(dividend % divisor < 0n ? truncated - 1n : truncated)
}

/**
 * Divides a whole total (đồng) in proportion to the weights. The parts are integers that add up to the total, each at
 * most one away from its exact share. What rounding leaves over goes to the largest remainders, the earlier index first
 * (G-42). If every weight is 0, the total is divided evenly. A part never exceeds its weight unless the total exceeds
 * the sum of the weights.
 * @throws RangeError on a total or weight that is negative or not a safe integer, and on a total above 0 without
 * weights.
 */
export function largestRemainder(total: number, weights: readonly number[]): number[] {
  const whole = toAmount(total, 'total')
  let shares = weights.map((weight, index) => toAmount(weight, `weights[${index}]`))
  let sum = shares.reduce((left, right) => left + right, 0n)
  if (sum === 0n) {
    if (shares.length === 0 && whole > 0n) throw new RangeError('no weights to divide the total over')
    shares = shares.map(() => 1n)
    sum = BigInt(shares.length)
  }
  const parts = shares.map((share) => (whole * share) / sum)
  const left = Number(parts.reduce((rest, part) => rest - part, whole))
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: (whole * share) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n
  return parts.map(Number)
}

/**
 * The amount as a bigint. `name` is used in the error's text.
 * @throws RangeError when it is negative or not a safe integer.
 */
export function toAmount(amount: number, name: string): bigint {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new RangeError(`${name} must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}`)
  }
  return BigInt(amount)
}

/**
 * The value as a number, without loss.
 * @throws RangeError when it is not a safe integer.
 */
export function toSafeNumber(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('the amount exceeds the safe integers')
  return number
}
