/** Waits until `check` returns something truthy, calling it every 20 ms. */
export async function eventually<T>(
  check: () => Promise<T | undefined | false>,
  withinMs = 12_000,
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const found = await check()
    if (found) return found
    if (Date.now() > end) throw new Error(`nothing came within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
