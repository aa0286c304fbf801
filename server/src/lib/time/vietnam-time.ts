/** Vietnam keeps one offset from UTC all year. */
export const VIETNAM_OFFSET_MS = 7 * 3_600_000
