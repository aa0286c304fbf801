import { MAX_LINES, UnusableFile } from '../import/rules.ts'
import { cellProblem, handleOf, type Line, MAX_LINES_OF_A_PRODUCT } from './lines.ts'

/** Limits of one chunk of the import; they keep its statements below a few megabytes. */
const PRODUCTS_OF_A_CHUNK = 300
const CHARACTERS_OF_A_CHUNK = 1_000_000

/**
 * The consecutive lines of each product, at most {@link MAX_LINES_OF_A_PRODUCT}; further ones count as another product.
 * If a product's lines are not all consecutive, the first line of each later group gets that as its problem.
 * @throws UnusableFile if there are more than MAX_LINES lines.
 */
export async function* linesByProduct(lines: AsyncIterable<Line>): AsyncGenerator<Line[], void> {
  const seen = new Set<string>()
  let together: Line[] = []
  let last: string | undefined
  let count = 0
  for await (const line of lines) {
    count += 1
    if (count > MAX_LINES) throw new UnusableFile('tooManyLines', { most: MAX_LINES })
    const handle = handleOf(line)?.key
    if (handle !== undefined && handle === last && together.length < MAX_LINES_OF_A_PRODUCT) {
      together.push(line)
      continue
    }
    if (together.length > 0) yield together
    const isBack = handle !== undefined && seen.has(handle)
    together = [isBack ? { ...line, problem: line.problem ?? comesBack(line) } : line]
    if (handle !== undefined) seen.add(handle)
    last = handle
  }
  if (together.length > 0) yield together
}

function comesBack(line: Line): Line['problem'] {
  return cellProblem(handleOf(line)!.column, 'import.notConsecutive', { limit: MAX_LINES_OF_A_PRODUCT })
}

/** The products in chunks of some hundred. The first `skipped` products are passed to `skip` and are in no chunk. */
export async function* chunksOf(
  products: AsyncIterable<Line[]>,
  skipped: number,
  skip: (lines: Line[]) => void,
): AsyncGenerator<Line[][], void> {
  let chunk: Line[][] = []
  let characters = 0
  let at = 0
  for await (const lines of products) {
    at += 1
    if (at <= skipped) {
      skip(lines)
      continue
    }
    chunk.push(lines)
    for (const { cells } of lines) for (const cell of Object.values(cells)) characters += cell.length
    if (chunk.length < PRODUCTS_OF_A_CHUNK && characters < CHARACTERS_OF_A_CHUNK) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}
