/**
 * Limits what is in progress at once: of one owner, and of all together. A slot that was taken is given back by calling the
 * function that `take` returned, once or more often; without a free slot `take` returns undefined. The last `keptForFirst` of
 * all are only for owners that have none, so that a few owners cannot hold all slots.
 */
export function createSlots({
  ofOwner,
  ofAll = Number.POSITIVE_INFINITY,
  keptForFirst = 0,
}: {
  ofOwner: number
  ofAll?: number
  keptForFirst?: number
}) {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(owner: string): (() => void) | undefined {
      const own = taken.get(owner) ?? 0
      const most = own === 0 ? ofAll : ofAll - keptForFirst
      if (own >= ofOwner || all >= most) return undefined
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
