/**
 * Limits what is in progress at once: of one owner, and of all together. A slot that was taken is given back by calling the
 * function that `take` returned, once or more often; without a free slot `take` returns undefined.
 */
export function createSlots({
  ofOwner,
  ofAll = Number.POSITIVE_INFINITY,
}: {
  ofOwner: number
  ofAll?: number
}) {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(owner: string): (() => void) | undefined {
      const own = taken.get(owner) ?? 0
      if (own >= ofOwner || all >= ofAll) return undefined
      taken.set(owner, own + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        const left = taken.get(owner)! - 1
        if (left === 0) taken.delete(owner)
        else taken.set(owner, left)
      }
    },
  }
}
