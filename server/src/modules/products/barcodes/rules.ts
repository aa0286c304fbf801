/** GS1 reserves the prefixes 200 to 299 for use inside a shop: no goods from a maker carry them. */
const IN_STORE = '200'
const NUMBERS = 10 ** 9

/**
 * The thirteenth digit of an EAN-13. It makes the sum of all digits, with weights 1 and 3 in turn, a multiple of 10.
 */
export function checkDigit(twelve: string): number {
  const sum = [...twelve].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return (10 - (sum % 10)) % 10
}

/** The in-store EAN-13 of a number from 0 to 999,999,999. */
export function inStoreBarcode(number: number): string {
  const twelve = IN_STORE + String(number).padStart(9, '0')
  return twelve + checkDigit(twelve)
}

/** `count` different in-store barcodes. `random` returns a number from 0 up to, but not including, 1. */
export function drawBarcodes(count: number, random: () => number): string[] {
  const drawn = new Set<string>()
  while (drawn.size < count) drawn.add(inStoreBarcode(Math.floor(random() * NUMBERS)))
  return [...drawn]
}
