import { asRecord } from './chatapp/wire.ts'
import type { PlatformUnknown } from './types.ts'

/** Codes of failures before a connection exists, when no byte of the request can have been sent. */
const NEVER_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])

/** The outcome of a call that failed in the network. */
export function networkFailure(error: unknown): PlatformUnknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  // There is one error for each address tried. Nothing was sent only if all of them failed before connecting.
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
