type Rect = { left: number; right: number; top: number; bottom: number }
type Piece = { getBoundingClientRect(): Rect }

/**
 * The item under the pointer in whose place the held one would be put; undefined over the held one's own place and outside all
 * items. The held one follows the pointer, so it does not count.
 */
export function placeUnder(
  { clientX: x, clientY: y }: { clientX: number; clientY: number },
  held: string,
  pieces: ReadonlyMap<string, Piece>,
): string | undefined {
  for (const [id, piece] of pieces) {
    if (id === held) continue
    const { left, right, top, bottom } = piece.getBoundingClientRect()
    if (x >= left && x <= right && y >= top && y <= bottom) return id
  }
  return undefined
}
