/** Vietnam's offset from UTC, which is constant all year. */
export const VIETNAM_OFFSET_MS = 7 * 3_600_000
