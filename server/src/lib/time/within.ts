/**
 * What `work` resolves to, or undefined if it takes longer than `ms`; the work goes on then. What has arrived by that time is
 * read first: a moment in which this process itself was paused does not count against the other side.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<{ found: T } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, undefined), ms)
  })
  try {
    return await Promise.race([work.then((found) => ({ found })), late])
  } finally {
    clearTimeout(timer)
  }
}
