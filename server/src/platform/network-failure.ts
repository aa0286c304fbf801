import { asRecord } from './chatapp/wire.ts'
import type { PlatformUnknown } from './types.ts'

/** Codes of failures before a connection exists, so that no byte of the request can have left. */
const NEVER_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])

/** The outcome of a call that failed on its way. */
export function networkFailure(error: unknown): PlatformUnknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  // One error for each address tried: only when all failed before connecting did nothing leave.
  const parts = cause instanceof AggregateError ? cause.errors : [cause]
  const codes = parts.map((part) => {
    const { code } = asRecord(part)
    if (typeof code === 'string') return code
    return part instanceof Error ? (part.name === 'TimeoutError' ? 'timeout' : part.name) : ''
  })
  return {
    kind: 'unknown',
    cause: [...new Set(codes)].join(', ') || 'request failed',
    surelyNotSent: codes.length > 0 && codes.every((code) => NEVER_LEFT.has(code)),
  }
}
