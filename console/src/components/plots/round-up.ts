/** The smallest round number that is not less: a digit followed by zeros, and even, so that its half is whole. */
export function roundUp(value: number): number {
  if (value <= 2) return 2
  const magnitude = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 5, 6, 8, 10]
    .map((step) => step * magnitude)
    .find((most) => most >= value && most % 2 === 0)!
}
