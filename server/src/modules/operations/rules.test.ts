import { describe, expect, it } from 'vitest'
import { shortError } from './rules.ts'

describe('G-61 the error of a failed job', () => {
  it.each([
    [
      'Error: the template is not submitted yet: timeout\n    at run (file.ts:1)',
      'Error: the template is not submitted yet: timeout',
    ],
    ['refused 0901 234 567, +84901234567 and 0901.234.567', 'refused …, … and …'],
    ['GET https://user:secret@host.example:8443/a?token=b failed', 'GET https://host.example:8443 failed'],
    [`token ${'aB3_'.repeat(10)} expired`, 'token … expired'],
    ['product 6650aa00bb11cc22dd33ee44 of 2026-05-01', 'product 6650aa00bb11cc22dd33ee44 of 2026-05-01'],
  ])('shows of %j no more than %j', (error, shown) => {
    expect(shortError(error)).toBe(shown)
  })

  it('has at most 300 characters, and is null where nothing is known', () => {
    expect(shortError('lỗi '.repeat(200))).toHaveLength(300)
    expect(shortError(null)).toBeNull()
  })
})
