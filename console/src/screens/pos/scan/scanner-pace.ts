/** An amount of cash has so few digits too, so a short code must come at a scanner's clear pace. */
const SHORT = { keys: 3, slowestKeyMs: 25 }
const LONG = { keys: 6, slowestKeyMs: 60 }

/**
 * Whether so many keys came from a scanner, which types faster than people: fast numeric typists need about 85 ms per key.
 * `tookMs` is the time from the first of them to the Enter after the last.
 */
export function isScannerPace(keys: number, tookMs: number): boolean {
  const { slowestKeyMs } = keys >= LONG.keys ? LONG : SHORT
  return keys >= SHORT.keys && tookMs <= keys * slowestKeyMs
}
