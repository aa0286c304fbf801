import type { ImportFailure } from '../../../texts/keys.ts'

export const MODES = ['all-or-nothing', 'each-row'] as const
export type Mode = (typeof MODES)[number]
export const FORMATS = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' } as const
export type Format = (typeof FORMATS)[keyof typeof FORMATS]

export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024
export const MAX_LINES = 100_000
/** The most unfinished imports of a shop. */
export const MAX_OPEN_IMPORTS = 5
/** The number of errors shown with an import. Its error file has all of them. */
export const SHOWN_ERRORS = 1_000

/** The file cannot be read. The response gives the reason. */
export class UnusableFile extends Error {
  readonly failure: ImportFailure
  readonly values: Record<string, string | number>

  constructor(failure: ImportFailure, values: Record<string, string | number> = {}) {
    super(failure)
    this.name = 'UnusableFile'
    this.failure = failure
    this.values = values
  }
}
